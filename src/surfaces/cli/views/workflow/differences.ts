import type { Json } from '../../../../json/value.ts'
import type { AnswerOf } from '../../registry/presentation.ts'
import type { Terminal } from '../../terminal.ts'
import { changeLines, countedBetween, signed } from '../past.ts'
import type { ViewOf } from '../view.ts'

type Changes = AnswerOf<'journal.diff'>['tasks']['changes']
type Said = Readonly<Record<string, string | number | null>>

const quoted = (value: Json | undefined) => JSON.stringify(value ?? null)

/** What is said of a thing that is there at one point only: its status, and what it is about. */
function whole(said: Said): string {
  return Object.entries(said)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => (typeof value === 'number' ? `${name} ${value}` : String(value)))
    .join(', ')
}

/** What was said before and what is said after, each where it differs. */
function difference(before: Said, after: Said): string {
  const names = Object.keys(after).filter((name) => quoted(before[name]) !== quoted(after[name]))
  return names.map((name) => `${name} ${quoted(before[name])} → ${quoted(after[name])}`).join(', ')
}

function thingLine({ op, id, text, before, after }: Changes[number], terminal: Terminal): string {
  const what = before !== null && after !== null ? difference(before, after) : whole(after ?? before ?? {})
  return signed(op, `${id}${text === null ? '' : ` (${text})`}  ${what}`, terminal)
}

const kinds = ['phases', 'tasks', 'checkpoints', 'decisions', 'blockers'] as const

/** Where the work stands comes first, then what was decided and done, then the state. */
export const workDifferences: ViewOf<'journal.diff'> = (answer, terminal) => {
  const { position, next_action: next } = answer
  const lists = kinds.map((kind) => ({ kind, ...answer[kind] }))
  const things = [position, next, ...lists.flatMap(({ changes }) => changes)].filter((each) => each !== null)
  const lines = [...things.map((each) => thingLine(each, terminal)), ...changeLines(answer.changes, terminal)]
  const more = lists.filter(({ more }) => more > 0).map(({ kind, more }) => `and ${more} more ${kind}\n`)
  if (lines.length + more.length === 0) return `Nothing differs between ${answer.from} and ${answer.to}.\n`
  return `${lines.join('')}${more.join('')}${countedBetween(lines.length, answer, terminal)}`
}
