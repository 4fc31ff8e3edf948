import type { LocalPerformer } from '../../../client/local.ts'
import { sleep } from '../../../clock.ts'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { destinationHere } from '../../../home/destination.ts'
import { runList } from '../../../operations/runs/run.ts'
import { sessionStatus } from '../../../operations/workflow/status.ts'
import { performerFor } from '../asking/ask.ts'
import { printJson, printNote, printOut, safe } from '../output.ts'
import { argumentsOf, isSet } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { terminalOf } from '../terminal.ts'
import { RunOutput } from './run-output.ts'
import { type AgentShown, isEnded, type StatusShown } from './status-shown.ts'

/** How often files are looked at while they are followed. */
const lookMs = 200
/** What one sees of the past when one attaches. */
const attachedBytes = 8 * 1024

interface LogsRequest {
  readonly home: string
  readonly place: { readonly home: string | undefined; readonly store: string | undefined }
  readonly session: string | undefined
  readonly agent: string | undefined
  readonly follows: boolean
  readonly all: boolean
  readonly attaches: boolean
}

type RunShown = AnswerOf<'run.list'>['runs'][number]

/** `cairn logs ID [-f]`: what agents have put out; `cairn attach ID`: what one puts out from now on. */
export function runLogs(called: Called): Promise<number> {
  return showLogs(readLogsRequest(called, false), called.json)
}

export function runAttach(called: Called): Promise<number> {
  return showLogs(readLogsRequest(called, true), called.json)
}

async function showLogs(request: LogsRequest, json: boolean): Promise<number> {
  const performer = performerFor(request.place)
  try {
    return await new Logs(request, performer, json).show()
  } finally {
    await performer.close()
  }
}

function readLogsRequest(called: Called, attaches: boolean): LogsRequest {
  const given = argumentsOf(called)
  const { flags, places, home, store } = given
  const [named] = places
  const config = loadConfig(destinationHere(given))
  if (config instanceof Refusal) throw new CairnRefusal(config)
  return {
    home: config.home,
    place: { home, store },
    session: named ?? flags.get('session'),
    agent: flags.get('agent'),
    follows: attaches || isSet(given, 'follow'),
    all: isSet(given, 'all'),
    attaches,
  }
}

/** The output of several agents, each line with whose it is. */
class Logs {
  readonly #request: LogsRequest
  readonly #performer: LocalPerformer
  readonly #json: boolean
  readonly #outputs = new Map<string, RunOutput[]>()
  readonly #interrupted = new AbortController()
  #width = 0

  constructor(request: LogsRequest, performer: LocalPerformer, json: boolean) {
    this.#request = request
    this.#performer = performer
    this.#json = json
  }

  async show(): Promise<number> {
    const { follows, attaches } = this.#request
    process.once('SIGINT', () => this.#interrupted.abort())
    for (let isFirst = true; ; isFirst = false) {
      const status = await this.#status()
      const agents = this.#chosen(status)
      this.#width = agents.length === 1 ? 0 : Math.max(0, ...agents.map(({ id }) => id.length))
      if (attaches && isFirst && agents.length !== 1) throw tooMany(agents)
      if (isFirst && !this.#json) this.#tellTrees(agents)
      const runs = await this.#runs(agents)
      if (isFirst && runs.length === 0 && !follows) this.#note('Nothing has run yet.')
      const goesOn = this.#print(agents, runs, isFirst)
      if (!goesOn || !follows || this.#interrupted.signal.aborted) return 0
      if (agents.every((agent) => isEnded(agent.status)) || isEnded(status.session.status)) return 0
      await sleep(lookMs, this.#interrupted.signal)
    }
  }

  async #status(): Promise<StatusShown> {
    const { session } = this.#request
    const asked = session === undefined ? {} : { session }
    return this.#performer.execute(sessionStatus, asked)
  }

  #chosen({ agents }: StatusShown): readonly AgentShown[] {
    const { agent: named } = this.#request
    if (named === undefined) return agents
    const found = agents.filter(({ id, name, session_id: session }) => [id, name, session].includes(named))
    if (found.length > 0) return found
    const hint = `Agents: ${agents
      .map(({ id }) => id)
      .slice(0, 20)
      .join(', ')}.`
    throw new CairnRefusal(refuse('not_found', `There is no agent ${JSON.stringify(named)}.`, hint))
  }

  /** Those of the agents in the order they were started; unless all are wanted, the last of each. */
  async #runs(agents: readonly AgentShown[]): Promise<RunShown[]> {
    const { session, all } = this.#request
    const { runs } = await this.#performer.execute(runList, session === undefined ? {} : { session })
    const wanted = new Set(agents.map(({ session_id: id }) => id))
    const theirs = runs.filter(({ session_id: id }) => wanted.has(id))
    const last = new Map(theirs.map((each) => [each.session_id, each.run]))
    return all ? theirs : theirs.filter(({ run, session_id: id }) => last.get(id) === run || this.#outputs.has(run))
  }

  /** False when nobody reads it any more. */
  #print(agents: readonly AgentShown[], runs: readonly RunShown[], isFirst: boolean): boolean {
    const ids = new Map(agents.map(({ session_id: session, id }) => [session, id]))
    for (const { run, session_id: session, ended_at: ended } of runs) {
      for (const output of this.#outputsOf(run, isFirst)) {
        for (const { stream, text } of output.lines(ended !== null)) {
          if (!this.#line(ids.get(session) ?? '', run, stream, text)) return false
        }
      }
    }
    return true
  }

  #outputsOf(run: string, isFirst: boolean): RunOutput[] {
    const known = this.#outputs.get(run)
    if (known !== undefined) return known
    const { home, attaches } = this.#request
    if (!RunOutput.isHere(home, run)) {
      this.#note(`The output of run ${run.slice(-8)} is not on this machine: ask where its agent ran.`)
      this.#outputs.set(run, [])
      return []
    }
    const outputs = [new RunOutput(home, run, 'output'), new RunOutput(home, run, 'errors')]
    if (attaches && isFirst) for (const output of outputs) output.skipTo(attachedBytes)
    this.#outputs.set(run, outputs)
    return outputs
  }

  #line(agent: string, run: string, stream: 'output' | 'errors', text: string): boolean {
    if (this.#json) return printJson({ agent, run, stream, text })
    const whose = this.#width === 0 ? '' : `${safe(agent).padEnd(this.#width)} │ `
    if (stream === 'output') return printOut(`${terminalOf(1).paint('dim', whose)}${text}\n`)
    printNote(`${terminalOf(2).paint('dim', whose)}${text}\n`)
    return true
  }

  /** What an agent says it has changed is to be looked for there. */
  #tellTrees(agents: readonly AgentShown[]): void {
    for (const { id, branch, worktree } of agents) {
      if (worktree !== null) this.#note(`${safe(id)} works on ${safe(branch ?? '')} in ${safe(worktree)}`)
    }
  }

  #note(text: string): void {
    printNote(`${terminalOf(2).paint('dim', text)}\n`)
  }
}

function tooMany(agents: readonly AgentShown[]): CairnRefusal {
  const hint = `Name one: cairn attach --agent ${agents[0]?.id ?? 'ID'}, or see all with cairn logs -f.`
  const what = agents.length === 0 ? 'This session has no agents.' : `This session has ${agents.length} agents.`
  return new CairnRefusal(refuse('ambiguous_id', what, hint))
}
