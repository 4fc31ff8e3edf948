import { type Asking, ask, askRows } from '../../log/questions.ts'
import { rowsAt } from '../../log/row-past.ts'
import { sessions } from '../../sessions/tables.ts'
import { type AgentFigures, type Share, shareOfAgents } from '../figures.ts'
import { aboutWorkflow, type Standing } from '../questions.ts'
import { agentProgress, agents } from '../tables.ts'

/** Sessions below a root that go on, or that stand still, as many as were asked for, and how many there are. */
export interface Stood {
  readonly rows: readonly Standing[]
  readonly total: number
}

/** How the sessions below a root stand, now or as of an event. At present the store reads what is listed, and counts the rest. */
export class StandingSeen {
  readonly #root: number
  readonly #at: number | undefined
  #then: readonly Standing[] | undefined

  constructor(root: number, at: number | undefined) {
    this.#root = root
    this.#at = at
  }

  *running(most: number): Asking<Stood> {
    return yield* this.#of(['running', 'running'], most)
  }

  *parked(most: number): Asking<Stood> {
    return yield* this.#of(['resumable', 'paused'], most)
  }

  /** How many of the agents are done. */
  *done(): Asking<Share> {
    if (this.#at !== undefined) {
      const all = (yield* this.#all()).filter(({ agent }) => agent !== null)
      return shareOfAgents(all.map(({ status }) => ({ role: '', status, ranMs: 0 }) as AgentFigures))
    }
    const counted = yield* ask(aboutWorkflow.agents_counted, this.#root)
    const count = (isMeant: (status: string) => boolean) =>
      counted.reduce((sum, { status, count: of }) => sum + (isMeant(status) ? Number(of) : 0), 0)
    return { total: count((status) => status !== 'skipped'), done: count((status) => status === 'completed') }
  }

  *#of(among: readonly [string, string], most: number): Asking<Stood> {
    if (this.#at === undefined) {
      const rows = yield* ask(aboutWorkflow.standing, this.#root, ...among, most)
      return { rows, total: Number(rows[0]?.total ?? 0) }
    }
    const all = (yield* this.#all()).filter((row) => among.includes(row.status) && isMeant(row))
    const sorted = all.sort((a, b) => a.updated_at - b.updated_at || a.no - b.no)
    return { rows: sorted.slice(0, most), total: all.length }
  }

  *#all(): Asking<Standing[]> {
    this.#then ??= yield* standingAt(this.#root, this.#at ?? 0)
    return [...this.#then]
  }
}

/** As the question has it: an agent whose run is over does not run, and only agents wait without a program. */
function isMeant({ agent, status, run_at }: Standing): boolean {
  return agent === null ? status !== 'resumable' : status !== 'running' || run_at !== null
}

function* standingAt(root: number, at: number): Asking<Standing[]> {
  const ids = new Map((yield* askRows(agents, root)).map(({ no, id }) => [no, id]))
  const progress = new Map((yield* rowsAt(agentProgress, root, at)).map((row) => [row.no, row]))
  const below = (yield* rowsAt(sessions, root, at)).filter(({ no }) => no > 0)
  return below.map(({ no, id, name, status, reason, updated_at }) => {
    const { run_at = null, paused_ms = null, paused_at = null, parked = null, wake_at = null } = progress.get(no) ?? {}
    const agent = ids.get(no) ?? null
    return { no, id, name, status, reason, updated_at, agent, run_at, paused_ms, paused_at, parked, wake_at }
  })
}
