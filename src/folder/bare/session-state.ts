import { mkdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { CairnRefusal, Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import type { JsonObject } from '../../json/value.ts'
import { commitAdd } from '../../operations/manifest/commits.ts'
import { gitSet } from '../../operations/manifest/git.ts'
import type { AnyAnswered } from '../../operations/operation.ts'
import { checkpointComplete, checkpointStart } from '../../operations/plan/checkpoints.ts'
import { phaseDone, phaseEnter } from '../../operations/plan/phases.ts'
import { sessionSetStatus } from '../../operations/sessions/set-status.ts'
import { checkWithin, names, projectOf } from '../layout.ts'
import { bareHistory, relativeTo } from '../manifest/bare-history.ts'
import { readManifest } from '../manifest/read.ts'
import { renderManifest } from '../manifest/render.ts'
import { readPlain } from '../plain-file.ts'
import { replace, Views } from '../views.ts'
import { BareRoot } from './bare-root.ts'

/** What `state.json` says. */
export type SessionState = Answer & {
  readonly session_id: string
  readonly current_phase: string
  readonly status: string
}

/** A store that knows the root of a folder. */
export interface ReachedStore {
  readonly root: string
  perform(operation: AnyAnswered, input: JsonObject): Promise<Answer>
  close(): Promise<void>
}

/** Finds the store that has the root of a folder, given what its manifest says of it. */
export type Reach = (dir: string, root: string | undefined) => Promise<ReachedStore | undefined>

export interface Making {
  readonly reach: Reach
  readonly now: () => number
  readonly newId: () => string
}

const stateBytesMax = 1024 * 1024

/**
 * The state of a session by its folder. Where the store that has it can be reached, each method is an ordinary operation. Where none can,
 * the same rules decide on what `state.json` says, that is written anew at once, and a command in `inbox/` tells the store later.
 */
export class SessionStateOf {
  readonly dir: string
  readonly #making: Making
  #reached: Promise<ReachedStore | undefined> | undefined

  /** @internal */
  constructor(dir: string, making: Making) {
    this.dir = resolve(dir)
    this.#making = making
  }

  async load(): Promise<SessionState> {
    const store = await this.#store()
    if (store !== undefined)
      return (await store.perform((await import('../../operations/manifest/show.ts')).manifestShow, {})) as SessionState
    const { root } = await this.#bare()
    return { ...root.shown(), session_id: basename(this.dir) } as unknown as SessionState
  }

  /** Writes `state.json` anew; nothing else is held back until then. */
  async save(): Promise<void> {
    if ((await this.#store()) !== undefined) return
    this.#write(await this.#bare())
  }

  transitionToPhase(phase: string): Promise<void> {
    return this.#change(phaseEnter, { phase })
  }

  completePhase(phase: string): Promise<void> {
    return this.#change(phaseDone, { phase })
  }

  startCheckpoint(checkpoint: number): Promise<void> {
    return this.#change(checkpointStart, { checkpoint })
  }

  completeCheckpoint(checkpoint: number): Promise<void> {
    return this.#change(checkpointComplete, { checkpoint })
  }

  setGitBranch(branch: string): Promise<void> {
    return this.#change(gitSet, { branch })
  }

  setGitWorktree(worktree: string): Promise<void> {
    return this.#change(gitSet, { worktree: relativeTo(projectOf(this.dir), worktree) })
  }

  addCommit(sha: string, message: string, checkpoint?: number): Promise<void> {
    return this.#change(commitAdd, { sha, message, ...(checkpoint !== undefined && { checkpoint }) })
  }

  setStatus(status: string): Promise<void> {
    return this.#change(sessionSetStatus, { status })
  }

  async close(): Promise<void> {
    await (await this.#reached)?.close()
    this.#reached = undefined
  }

  async #change(operation: AnyAnswered, input: JsonObject): Promise<void> {
    const store = await this.#store()
    if (store !== undefined) {
      await store.perform(operation, input)
      return
    }
    const bare = await this.#bare()
    const refusal = bare.root.perform(operation, input)
    if (refusal !== undefined) throw new CairnRefusal(refusal)
    const id = this.#making.newId()
    checkWithin(projectOf(this.dir), join(this.dir, names.inbox))
    mkdirSync(join(this.dir, names.inbox), { recursive: true })
    // The command first: what a view says before its command is there would be taken back.
    replace(
      join(this.dir, names.inbox, `${id}.json`),
      `${JSON.stringify({ operation: operation.name, input, request_id: id })}\n`,
    )
    this.#write(bare)
  }

  #store(): Promise<ReachedStore | undefined> {
    const reaching = async () => {
      // Where the store was faster than its folder, it is found by the name of that.
      const manifest = await this.#manifest().catch(unlessMissing)
      return this.#making.reach(this.dir, manifest?.cairn?.root)
    }
    this.#reached ??= reaching()
    return this.#reached
  }

  async #manifest() {
    const content = await readPlain(join(this.dir, names.state), stateBytesMax).catch(asThrown)
    if (content === undefined) throw new CairnRefusal(noState(this.dir))
    const read = readManifest(content.toString())
    if (read instanceof Refusal) throw new CairnRefusal(read)
    return read
  }

  async #bare() {
    const { now, newId } = this.#making
    const manifest = await this.#manifest()
    const history = bareHistory(manifest, { name: basename(this.dir), project: projectOf(this.dir), changedAt: now() })
    return { root: new BareRoot(history, now, newId), cairn: manifest.cairn }
  }

  #write({ root, cairn }: { root: BareRoot; cairn: { root: string; replica: string } | undefined }): void {
    const text = renderManifest(root.shown() as unknown as Answer, basename(this.dir), cairn)
    new Views(this.dir).write(names.state, text)
  }
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof CairnRefusal && error.code === 'not_found') return undefined
  throw error
}

function asThrown(error: unknown): never {
  throw error instanceof Refusal ? new CairnRefusal(error as Refusal) : error
}

function noState(dir: string): Refusal {
  return refuse('not_found', `There is no state.json in ${dir}.`, 'Name the folder of a session, in agents/sessions/.')
}
