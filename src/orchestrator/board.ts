import type { PhaseState } from '../domain/plan/facts.ts'
import { type Agent, agentOf, hinders, isOver } from './agent.ts'
import { Heap, InOrder } from './heap.ts'
import type { AgentSeen, PhaseSeen, RootSeen } from './seen.ts'

/** The agents of a phase, and what is counted of them. */
export interface Stretch {
  phase: PhaseSeen
  /** Its place among the phases. */
  readonly at: number
  readonly agents: Agent[]
  /** Those that have not ended, and those whose failure fails the phase. */
  open: number
  hindering: number
  /** What a stage hands on to the next. */
  outputs: readonly number[] | undefined
}

const endedStates: ReadonlySet<PhaseState> = new Set(['completed', 'failed', 'skipped'])

/**
 * Where all agents of a root stand, with what a turn has to know counted along: a turn costs what has changed, however many agents
 * there are. Every change of an agent goes through `change`.
 */
export class Board {
  root: RootSeen | undefined
  readonly agents = new Map<number, Agent>()
  readonly stretches = new Map<number, Stretch>()
  /** Agents that have not ended; open runs; agents that failed, and those whose failure fails everything. */
  open = 0
  runs = 0
  readonly failed = new Set<Agent>()
  readonly fatal = new Set<Agent>()
  tokens = 0
  usd = 0
  /** To be looked at in this turn, and those that only wait for room; by their numbers, so that a turn is the same however it came about. */
  readonly #changed = new InOrder<Agent>((a, b) => a.no < b.no)
  readonly ready = new InOrder<Agent>((a, b) => a.no < b.no)
  readonly timers = new Heap<{ at: number; agent: Agent }>((a, b) => a.at < b.at)
  readonly #byId = new Map<string, Agent>()
  readonly #awaited = new Map<string, Agent[]>()
  /** Phases by their numbers; those before the current one have ended. */
  readonly #order: Stretch[] = []
  readonly #failedPhases = new Set<Stretch>()
  #current = 0
  #new: Agent[] = []
  #last: Agent | undefined

  get strategy() {
    return this.root?.workflow.strategy
  }

  seeRoot(root: RootSeen): void {
    const before = this.root
    this.root = root
    // Phases that are added come after those that are there.
    for (const phase of [...root.phases].sort((a, b) => a.phase - b.phase)) {
      const known = this.stretches.get(phase.phase)
      if (known === undefined) {
        this.#addPhase({ phase, at: this.#order.length, agents: [], open: 0, hindering: 0, outputs: undefined })
      } else this.enter(known, phase)
    }
    const isOther = before?.status !== root.status || before.interrupts !== root.interrupts
    if (isOther || before.workflow !== root.workflow) this.touchAll()
  }

  /** The first phase that has not ended, or has agents to run again. */
  get current(): Stretch | undefined {
    for (; this.#current < this.#order.length; this.#current++) {
      const stretch = this.#order[this.#current] as Stretch
      if (stretch.open > 0 || !endedStates.has(stretch.phase.state)) return stretch
    }
    return undefined
  }

  failedBefore(phase: number): Stretch | undefined {
    let first: Stretch | undefined
    for (const failed of this.#failedPhases) {
      if (failed.phase.phase < (first?.phase.phase ?? phase)) first = failed
    }
    return first
  }

  /** A phase is in another state: its agents may go on, or may not. */
  enter(stretch: Stretch, phase: PhaseSeen): void {
    const isOther = stretch.phase.state !== phase.state
    stretch.phase = phase
    toggle(this.#failedPhases, stretch, phase.state === 'failed')
    this.#goBack(stretch)
    if (isOther) for (const agent of stretch.agents) if (!isOver(agent)) this.touch(agent)
  }

  #addPhase(stretch: Stretch): void {
    this.stretches.set(stretch.phase.phase, stretch)
    this.#order.push(stretch)
    this.enter(stretch, stretch.phase)
  }

  /** What was taken for done is looked at again. */
  #goBack(stretch: Stretch): void {
    this.#current = Math.min(this.#current, stretch.at)
  }

  touchAll(): void {
    for (const agent of this.agents.values()) if (!isOver(agent) || agent.run !== undefined) this.touch(agent)
  }

  touch(agent: Agent): void {
    if (agent.isTouched) return
    agent.isTouched = true
    this.#changed.push(agent)
  }

  /** The next agent that has to be looked at. */
  nextChanged(): Agent | undefined {
    const agent = this.#changed.pop()
    if (agent !== undefined) agent.isTouched = false
    return agent
  }

  see(seen: AgentSeen): void {
    const known = this.agents.get(seen.no)
    if (known === undefined) {
      const agent = agentOf(seen)
      this.agents.set(seen.no, agent)
      this.#new.push(agent)
      return
    }
    if (known.run?.id !== seen.run?.id) known.acted = {}
    this.change(known, { ...seen, run: seen.run && { ...seen.run } })
  }

  /** What has changed of an agent, and what that means to those that wait for it. */
  change(agent: Agent, to: Partial<Agent>): void {
    if (!agent.isCounted) {
      Object.assign(agent, to)
      return
    }
    const [wasOver, hindered] = [isOver(agent), hinders(agent)]
    this.#count(agent, -1)
    Object.assign(agent, to)
    this.#count(agent, 1)
    this.touch(agent)
    const isNowOver = isOver(agent)
    if (wasOver !== isNowOver) {
      const parent = this.agents.get(agent.parent)
      if (parent !== undefined) {
        parent.openChildren += isNowOver ? -1 : 1
        this.touch(parent)
      }
    }
    if (wasOver === isNowOver && hindered === hinders(agent)) return
    for (const other of agent.after) {
      if (wasOver !== isNowOver) other.waits += isNowOver ? -1 : 1
      if (hinders(agent)) other.hindrance ??= agent
      else if (other.hindrance === agent) other.hindrance = other.before.find(hinders)
      if (!isOver(other)) this.touch(other)
    }
  }

  /** Agents that were seen first since the last turn find those they come after. In the order of their numbers. */
  settle(): void {
    if (this.#new.length === 0) return
    const added = this.#new.sort((a, b) => a.no - b.no)
    this.#new = []
    for (const agent of added) this.#byId.set(agent.spec.id, agent)
    for (const agent of added) this.#link(agent)
    for (const agent of added) {
      agent.isCounted = true
      this.#count(agent, 1)
      this.touch(agent)
    }
  }

  #link(agent: Agent): void {
    for (const id of agent.spec.depends_on) {
      const other = this.#byId.get(id)
      if (other !== undefined) follow(agent, other)
      else {
        agent.unseen++
        listIn(this.#awaited, id).push(agent)
      }
    }
    for (const waiting of listIn(this.#awaited, agent.spec.id)) {
      waiting.unseen--
      follow(waiting, agent)
      this.touch(waiting)
    }
    this.#awaited.delete(agent.spec.id)
    if (this.strategy === 'sequential' && agent.parent === 0) {
      if (this.#last !== undefined && !agent.before.includes(this.#last)) follow(agent, this.#last)
      this.#last = agent
    }
    // The workflow itself is no agent.
    const parent = this.agents.get(agent.parent)
    if (parent !== undefined) {
      parent.children.push(agent)
      if (!isOver(agent)) parent.openChildren++
    }
    if (agent.spec.phase !== undefined) this.stretches.get(agent.spec.phase)?.agents.push(agent)
  }

  #count(agent: Agent, by: 1 | -1): void {
    const isOpen = !isOver(agent)
    if (isOpen) this.open += by
    if (agent.run !== undefined) this.runs += by
    this.tokens += by * agent.used.tokens
    this.usd += by * agent.used.usd
    toggle(this.failed, agent, by === 1 && agent.status === 'failed')
    toggle(this.fatal, agent, by === 1 && agent.status === 'failed' && agent.spec.on_failure === 'fail')
    const stretch = this.stretchOf(agent)
    if (stretch === undefined) return
    if (isOpen) {
      stretch.open += by
      if (by === 1 && stretch.open === 1) this.#goBack(stretch)
    }
    if (hinders(agent) && agent.status !== 'skipped') stretch.hindering += by
    stretch.outputs = undefined
  }

  stretchOf({ spec }: Agent): Stretch | undefined {
    return spec.phase === undefined ? undefined : this.stretches.get(spec.phase)
  }
}

/** Whoever has ended already is not waited for. */
function follow(agent: Agent, other: Agent): void {
  agent.before.push(other)
  other.after.push(agent)
  if (!isOver(other)) agent.waits++
  else if (hinders(other)) agent.hindrance ??= other
}

function listIn<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

function toggle<Item>(set: Set<Item>, item: Item, isIn: boolean): void {
  if (isIn) set.add(item)
  else set.delete(item)
}
