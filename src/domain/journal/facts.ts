/** Where the work stands, why it is so, what is in the way and what comes next. */
export const journalStream = 'journal'

export const decisionKinds = ['technology', 'architecture', 'trade-off', 'preference', 'constraint'] as const
export type DecisionKind = (typeof decisionKinds)[number]

export const blockerStatuses = ['active', 'bypassed', 'resolved'] as const
export type BlockerStatus = (typeof blockerStatuses)[number]

/** Why a person is needed. */
export const needKinds = ['approval', 'question', 'blocker', 'failed', 'stale'] as const
export type NeedKind = (typeof needKinds)[number]

/** Decisions and blockers count within the root from 1: `decision-001`, `block-001`. */
export type JournalFact =
  | { type: 'position_changed'; data: PositionChanged }
  | { type: 'decision_made'; data: DecisionMade }
  | {
      type: 'blocker_identified'
      data: { blocker: number; text: string; affects: readonly string[]; tasks?: readonly number[] }
    }
  | { type: 'blocker_bypassed'; data: { blocker: number; workaround: string; tasks?: readonly number[] } }
  | { type: 'blocker_resolved'; data: { blocker: number; resolution: string } }
  | { type: 'need_raised'; data: NeedRaised }
  | { type: 'need_met'; data: { need: number; how: string; answer?: string } }
  | { type: 'next_action_set'; data: { text: string } }
  | { type: 'note_added'; data: { text: string } }
  | { type: 'resume_context_changed'; data: ResumeContextChanged }
  | { type: 'question_answered'; data: { question: number; answer: string } }
  | { type: 'verification_recorded'; data: { text: string; passed: boolean; details?: string } }

/** Something that waits for a person: about a session of this root, and about what of it. Needs count within the root from 1. */
export interface NeedRaised {
  readonly need: number
  readonly kind: NeedKind
  readonly session: number
  readonly text: string
  /** What it is about: `blocker/3`, `task/12`, a run. One open need at most is about one thing. */
  readonly about?: string
  /** What a person may answer with, where that is not free. */
  readonly actions?: readonly string[]
}

/** What was not said stays as it was; null takes it away. */
export interface PositionChanged {
  readonly phase?: number | null
  readonly plan?: number | null
  readonly task?: string | null
  readonly wave?: number | null
  readonly status?: string | null
}

export interface DecisionMade {
  readonly decision: number
  readonly kind: DecisionKind
  readonly text: string
  readonly context: string
  readonly reason: string
  readonly alternatives?: readonly { readonly text: string; readonly why_not?: string }[]
  readonly reversible: boolean
  readonly supersedes?: number
}

/** Lists are added to; `remove…` takes items away. */
export interface ResumeContextChanged {
  readonly files?: readonly string[]
  readonly implementations?: readonly Implementation[]
  readonly questions?: readonly string[]
  readonly clear?: readonly ('files' | 'implementations' | 'questions')[]
}

/** What was built, and how it can be checked that it is still there. */
export interface Implementation {
  readonly text: string
  readonly file?: string
  readonly contains?: string
  readonly command?: string
}

declare module '../log/event.ts' {
  interface FactsOfParts {
    journal: JournalFact
  }
}
