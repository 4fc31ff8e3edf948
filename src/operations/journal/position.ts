import { journalRefs } from '../../domain/journal/journal.ts'
import { movePosition } from '../../domain/journal/move.ts'
import { integer, optional } from '../../domain/log/input-schema.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import { line, orNull } from '../../domain/log/text/entries.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'

const from1 = (about: string) => optional(orNull(integer(about, { min: 1 })))

/** Where the work is; null takes one of them away. */
export const positionMembers = {
  phase: from1('The number of the phase.'),
  plan: from1('The number of the plan within it.'),
  task: optional(orNull(line('The task, in a few words or by its id.'))),
  wave: from1('The wave within the plan.'),
  status: optional(orNull(line('How it goes there, in a word: in_progress, waiting …', 100))),
}

interface PositionGiven {
  readonly phase?: number | null
  readonly plan?: number | null
  readonly task?: string | null
  readonly wave?: number | null
  readonly status?: string | null
}

const members = ['phase', 'plan', 'task', 'wave', 'status'] as const

/** Of an input, what it says of the position. */
export function positionIn(input: PositionGiven): PositionGiven {
  return Object.fromEntries(members.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]))
}

export const journalPosition = change({
  name: 'journal.position',
  summary: 'Say where the work is now: phase, plan, task, wave.',
  command: {
    words: ['position'],
    topic: 'Keep the journal',
    examples: ['cairn position --phase 2 --plan 1 --task "Write the lexer"'],
  },
  input: positionMembers,
  needs: () => [...journalRefs],
  decide(input, on) {
    const given = positionIn(input)
    const refusal = mayWrite(on) ?? checkSaid(given)
    if (refusal) return refusal
    movePosition(on, given)
    return { ...given, seq: on.rows.head()?.seq ?? 0 }
  },
})

function checkSaid(given: PositionGiven): Refusal | undefined {
  if (Object.keys(given).length > 0) return undefined
  return refuse('invalid_input', 'Nothing is said of the position.', `Give one of ${members.join(', ')}.`)
}
