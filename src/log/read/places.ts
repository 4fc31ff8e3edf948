import { CairnRefusal } from '../../domain/log/refusal.ts'
import type { AnyOperation, Place } from '../../operations/operation.ts'
import type { Engine } from '../../store/engine.ts'
import { agentIn, notBelow, reachOf, visible } from '../access/authority.ts'
import type { Caller } from '../access/caller.ts'
import { throwRefusal } from '../thrown.ts'
import { Directory } from './directory.ts'

/** Where calls go: to the session that each names or means, as far as its caller may reach. */
export class Places {
  readonly #directory: Directory
  /** Calls that do not know their root yet, and so are in no lane. */
  readonly #finding = new Set<Promise<unknown>>()

  constructor(engine: Engine) {
    this.#directory = new Directory(engine)
  }

  /** At the session that is meant; once more where what was remembered of it is not so any more. */
  at<Out>(named: string | undefined, caller: Caller, perform: (place: Place) => Promise<Out>): Promise<Out> {
    return this.#directory.at(() => this.#place(named, caller), perform)
  }

  /** At the session that acts. An agent writes what its root shares as itself, whatever session it names. */
  acting<Out>(
    operation: AnyOperation,
    named: string | undefined,
    caller: Caller,
    perform: (place: Place) => Promise<Out>,
  ): Promise<Out> {
    const agent = agentIn(caller.scope)
    if (agent === undefined) return this.at(named, caller, perform)
    return this.#directory.at(() => this.#actingAs(agent, operation, named, caller), perform)
  }

  /** Whoever closes waits for it. */
  found<Out>(finding: Promise<Out>): Promise<Out> {
    this.#finding.add(finding)
    return finding.catch(throwRefusal).finally(() => this.#finding.delete(finding))
  }

  forget(root: number): void {
    this.#directory.forget(root)
  }

  async settled(): Promise<void> {
    await Promise.allSettled([...this.#finding])
  }

  #place(named: string | undefined, caller: Caller): Place | Promise<Place> {
    const id = named ?? caller.session
    const known = id === undefined ? undefined : this.#directory.known(id)
    // Where a root is named, only what lies in it is meant, however well another one is known.
    const isMeant = known !== undefined && (caller.root === undefined || caller.root === known.rootId)
    return isMeant ? visible(known, caller) : this.#find(named, caller)
  }

  async #actingAs(agent: Place, operation: AnyOperation, named: string | undefined, caller: Caller): Promise<Place> {
    const place = await this.#place(named, caller)
    if (reachOf(operation) !== 'subtree') return agent
    if (await this.#directory.isBelow(place, agent).catch(throwRefusal)) return place
    throw new CairnRefusal(notBelow())
  }

  async #find(named: string | undefined, caller: Caller): Promise<Place> {
    return visible(await this.found(this.#directory.find(named, caller)), caller)
  }
}
