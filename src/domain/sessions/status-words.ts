import { hasEnded, type Status } from './lifecycle.ts'

/** What a status is called in `state.json`. */
export const statusWords = ['active', 'paused', 'complete', 'failed'] as const
export type StatusWord = (typeof statusWords)[number]

export function statusWord(status: Status): StatusWord {
  if (status === 'paused') return 'paused'
  if (status === 'completed') return 'complete'
  return hasEnded(status) ? 'failed' : 'active'
}

/** Other words for statuses that people and programs write. */
const meanings: Readonly<Record<string, Status>> = {
  pending: 'created',
  active: 'running',
  in_progress: 'running',
  interrupted: 'resumable',
  complete: 'completed',
  finished: 'completed',
  success: 'completed',
}

export const understoodWords = [
  ...statusWords,
  ...Object.keys(meanings).filter((word) => word !== 'active' && word !== 'complete'),
  'running',
  'resumable',
  'completed',
  'cancelled',
] as const

/** The status that a word means for a session; the word that it is shown by now means no change. */
export function statusMeant(word: string, present: Status): Status {
  return word === statusWord(present) ? present : (meanings[word] ?? (word as Status))
}
