import type { Cairn } from '../../client/interface.ts'
import { ownProcess } from '../../home/process-life.ts'
import type { Usage } from '../model/turn.ts'

/** What a run is made with. */
export interface RunMade {
  readonly session: string
  readonly model: string
  /** Hashes of the system prompt and of the list of tools. */
  readonly prompt: string
  readonly tools: string
}

interface Started {
  readonly id: string
  /** What is no longer as it was in the run before, for people. */
  readonly changed: readonly string[]
  readonly isSupervised: boolean
}

/** One life of an agent, as the log has it. */
export class RunRecord {
  readonly id: string
  /** What is no longer as it was in the run before, for people. */
  readonly changed: readonly string[]
  readonly #run: Cairn['run']
  readonly #session: string
  /** Whoever supervises it ends it, and knows better how it ended. */
  readonly #isSupervised: boolean
  #used: Usage = { input: 0, output: 0, cached: 0 }

  private constructor(run: Cairn['run'], session: string, started: Started) {
    this.#run = run
    this.#session = session
    this.#isSupervised = started.isSupervised
    this.id = started.id
    this.changed = started.changed
  }

  /**
   * Whoever writes the conversation now knows that runs before it are over, however they ended. `supervised` is the run that this process
   * was started for, if it was.
   */
  static async start(
    { run }: Pick<Cairn, 'run'>,
    { session, ...made }: RunMade,
    supervised: string | undefined,
  ): Promise<RunRecord> {
    const { runs } = await run.list({ session })
    const own = runs.find((each) => each.run === supervised && each.session_id === session && each.ended_at === null)
    if (own !== undefined) {
      await run.report({ session, run: own.run, model: made.model })
      return new RunRecord(run, session, { id: own.run, changed: [], isSupervised: true })
    }
    for (const before of runs.filter(({ session_id, ended_at }) => session_id === session && ended_at === null)) {
      await run.end({ session, run: before.run, how: 'crashed' })
    }
    const begun = { session, mode: 'cli', adapter: 'model', process: ownProcess(), ...made } as const
    const { run: id, changed } = await run.start(begun)
    return new RunRecord(run, session, { id, changed: changed.map(changeLine), isSupervised: false })
  }

  get used(): Usage {
    return this.#used
  }

  async report(usage: Usage): Promise<void> {
    const { input, output, cached } = this.#used
    this.#used = { input: input + usage.input, output: output + usage.output, cached: cached + usage.cached }
    await this.#run.report({
      session: this.#session,
      run: this.id,
      input_tokens: this.#used.input,
      output_tokens: this.#used.output,
      cached_tokens: this.#used.cached,
    })
  }

  async end(how: 'completed' | 'failed' | 'cancelled', reason?: string): Promise<void> {
    if (this.#isSupervised) return
    const why = reason === undefined ? {} : { reason: reason.slice(0, 2000).toWellFormed() }
    await this.#run.end({ session: this.#session, run: this.id, how, process: ownProcess(), ...why })
  }
}

function changeLine({ what, was, now }: { what: string; was: string; now: string }): string {
  if (what === 'model') return `the model has changed since the last run: ${was} before, ${now} now`
  return what === 'prompt'
    ? 'the system prompt has changed since the last run'
    : 'the list of tools has changed since the last run'
}
