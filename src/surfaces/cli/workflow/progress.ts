import { systemClock } from '../../../clock.ts'
import { printNote, printOut, safe } from '../output.ts'
import { terminalOf } from '../terminal.ts'
import { clockTime } from '../views/view.ts'
import { stateText } from './agent-line.ts'
import { LiveScreen } from './live-screen.ts'
import { progressLines } from './progress-lines.ts'
import type { AgentShown, StatusShown } from './status-shown.ts'

/** How the progress of a workflow is shown while it runs. */
export interface Progress {
  show(status: StatusShown, notice?: string): void
  close(): void
}

export type Said = (agent: AgentShown) => string

/** On a terminal a picture that stays in its place, else a line for each change; on stderr where stdout is for one document. */
export function progressOn(stream: 1 | 2, said: Said): Progress {
  return terminalOf(stream).isTerminal && process.env.TERM !== 'dumb'
    ? new LiveProgress(stream, said)
    : new PlainProgress(stream)
}

class LiveProgress implements Progress {
  readonly #stream: 1 | 2
  readonly #screen: LiveScreen
  readonly #said: Said

  constructor(stream: 1 | 2, said: Said) {
    this.#stream = stream
    this.#screen = new LiveScreen(stream)
    this.#said = said
  }

  show(status: StatusShown, notice?: string): void {
    const looking = { now: systemClock().now(), rows: this.#screen.rows - 1, said: this.#said, notice }
    this.#screen.draw(progressLines(status, terminalOf(this.#stream), looking))
  }

  close(): void {
    this.#screen.close()
  }
}

/** One line for each change, with its time. */
class PlainProgress implements Progress {
  readonly #print: (text: string) => unknown
  readonly #known = new Map<string, string>()
  #notice: string | undefined

  constructor(stream: 1 | 2) {
    this.#print = stream === 1 ? printOut : printNote
  }

  show(status: StatusShown, notice?: string): void {
    const now = systemClock().now()
    const time = clockTime(new Date(now).toISOString())
    const lines = [
      ...status.phases.flatMap(({ phase, name, state }) => this.#changed(`phase/${phase}`, state, `${name}: ${state}`)),
      ...status.agents.flatMap((agent) =>
        this.#changed(agent.session_id, keyOf(agent), `${agent.id}: ${stateText(agent, now)}`),
      ),
    ]
    if (notice !== undefined && notice !== this.#notice) lines.push(notice)
    this.#notice = notice
    if (lines.length > 0) this.#print(lines.map((line) => `${time}  ${safe(line)}\n`).join(''))
  }

  close(): void {
    // Each line was whole.
  }

  /** What has not begun is no news. */
  #changed(what: string, state: string, line: string): string[] {
    const before = this.#known.get(what)
    this.#known.set(what, state)
    return state === before || (before === undefined && /^(?:created|planned)/.test(state)) ? [] : [line]
  }
}

function keyOf({ status, waits_for: waits, attempts }: AgentShown): string {
  return `${status} ${waits} ${attempts}`
}
