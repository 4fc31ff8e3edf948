import type { Json } from '../../../../json/value.ts'
import type { Terminal } from '../../terminal.ts'
import { changeLines, countedBetween, signed } from '../past.ts'
import type { View } from '../view.ts'

type Row = { readonly [name: string]: Json }

const quoted = (value: Json | undefined) => JSON.stringify(value ?? null)

/** What is said of a thing that is there at one point only: its status, and what it is about. */
function whole(said: Row): string {
  return Object.entries(said)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => (typeof value === 'number' ? `${name} ${value}` : String(value)))
    .join(', ')
}

/** What was said before and what is said after, each where it differs. */
function difference(before: Row, after: Row): string {
  const names = Object.keys(after).filter((name) => quoted(before[name]) !== quoted(after[name]))
  return names.map((name) => `${name} ${quoted(before[name])} → ${quoted(after[name])}`).join(', ')
}

function thingLine(change: Row, terminal: Terminal): string {
  const { op, id, text, before, after } = change
  const what =
    before !== null && after !== null ? difference(before as Row, after as Row) : whole((after ?? before) as Row)
  return signed(op, `${id}${text === null ? '' : ` (${text})`}  ${what}`, terminal)
}

const kinds = ['phases', 'tasks', 'checkpoints', 'decisions', 'blockers'] as const

/** Where the work stands comes first, then what was decided and done, then the state. */
export const workDifferences: View = (answer, terminal) => {
  const { position, next_action: next } = answer
  const lists = kinds.map((kind) => ({ kind, ...(answer[kind] as unknown as { changes: Row[]; more: number }) }))
  const things = [position, next, ...lists.flatMap(({ changes }) => changes)].filter((each) => each !== null)
  const lines = [...things.map((each) => thingLine(each as Row, terminal)), ...changeLines(answer.changes, terminal)]
  const more = lists.filter(({ more }) => more > 0).map(({ kind, more }) => `and ${more} more ${kind}\n`)
  if (lines.length + more.length === 0) return `Nothing differs between ${answer.from} and ${answer.to}.\n`
  return `${lines.join('')}${more.join('')}${countedBetween(lines.length, answer, terminal)}`
}
