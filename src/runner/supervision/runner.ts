import { existsSync } from 'node:fs'
import { sleep } from '../../clock.ts'
import { workflowList } from '../../operations/workflow/list.ts'
import { type Ground, perform } from './ground.ts'
import { RootSupervisor } from './root-supervisor.ts'
import { RunsHere } from './runs-here.ts'
import { Wakeup } from './wakeup.ts'

/** What may mean that there is another root to run. */
const begins = ['workflow_set', 'workflow_extended', 'status_changed', 'agent_retried', 'agent_woken']
/** After a store that could not be asked. */
const againMs = 2000
/** Roots come by the hundred: they are looked for no more often than this. */
const lookMsMin = 50

/** Runs the workflows of all roots of a store whose project is on this machine, and goes on with those that were left. */
export class Runner {
  readonly #ground: Ground
  readonly #here = new RunsHere()
  readonly #roots = new Map<string, RootSupervisor>()
  readonly #stopping = new AbortController()
  readonly #wakeup = new Wakeup()
  readonly #ended: Promise<unknown>

  constructor(ground: Ground) {
    this.#ground = ground
    this.#ended = Promise.all([this.#run(), this.#follow()])
  }

  /** Lets go of all roots; agents go on, and are adopted by whoever comes next. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wakeup.wake()
    await this.#ended
    await Promise.all([...this.#roots.values()].map((root) => root.stop()))
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await this.#find()
        await this.#wakeup.sleep(Number.POSITIVE_INFINITY)
        await sleep(lookMsMin, signal)
      } catch (error) {
        if (!signal.aborted) this.#ground.report('runner', error)
        await sleep(againMs, signal)
      }
    }
  }

  async #follow(): Promise<void> {
    const { log, caller } = this.#ground
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        const since = await log.heads(caller)
        this.#wakeup.wake()
        for await (const _ of log.followAll({ since, type: begins, signal }, caller)) this.#wakeup.wake()
      } catch (error) {
        if (!signal.aborted) this.#ground.report('runner', error)
      }
      await sleep(againMs, signal)
    }
  }

  async #find(): Promise<void> {
    let cursor: string | undefined
    do {
      const page = await perform(this.#ground, workflowList, { limit: 1000, ...(cursor !== undefined && { cursor }) })
      for (const { root_session_id: root, project_dir: project } of page.workflows) {
        if (project === null || existsSync(project)) this.#supervise(root)
      }
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined && !this.#stopping.signal.aborted)
  }

  #supervise(root: string): void {
    if (this.#roots.has(root) || this.#stopping.signal.aborted) return
    const supervisor = new RootSupervisor(this.#ground, this.#here, root)
    this.#roots.set(root, supervisor)
    void supervisor.ended.then(() => {
      this.#roots.delete(root)
      // It may have begun anew since.
      this.#wakeup.wake()
    })
  }
}
