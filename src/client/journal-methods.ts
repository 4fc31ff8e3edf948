import type { DecisionKind } from '../domain/journal/facts.ts'

/** Where the work is; what is left out stays as it was, null takes it away. */
export interface StateUpdate {
  readonly session?: string | undefined
  readonly position: {
    readonly phase?: number | null | undefined
    readonly plan?: number | null | undefined
    readonly task?: string | null | undefined
    readonly wave?: number | null | undefined
    readonly status?: string | null | undefined
  }
}

export interface NewDecision {
  readonly session?: string | undefined
  readonly decision: string
  readonly context: string
  readonly reason: string
  readonly kind?: DecisionKind | undefined
}

export interface NewBlocker {
  readonly session?: string | undefined
  readonly description: string
  readonly affects?: string[] | undefined
}

/** What is most often written into the journal, in one call each. */
export interface JournalMethods {
  updateState(update: StateUpdate): Promise<{ readonly seq: number }>
  addDecision(decision: NewDecision): Promise<{ readonly id: string; readonly seq: number }>
  addBlocker(blocker: NewBlocker): Promise<{ readonly id: string; readonly seq: number }>
}

interface Operated {
  readonly journal: { position(input: object): Promise<{ readonly seq: number }> }
  readonly decision: { add(input: NewDecision): Promise<{ readonly id: string; readonly seq: number }> }
  readonly blocker: { add(input: NewBlocker): Promise<{ readonly id: string; readonly seq: number }> }
}

export function journalMethods({ journal, decision, blocker }: Operated): JournalMethods {
  return {
    updateState: ({ position, ...place }) => journal.position({ ...place, ...position }),
    addDecision: (made) => decision.add(made),
    addBlocker: (found) => blocker.add(found),
  }
}
