import { firstHash } from '../../domain/log/event.ts'
import { optional, text } from '../../domain/log/input-schema.ts'
import type { ForkedRows, ForkPoint, Part, Parts } from '../../domain/log/part.ts'
import { evolvableRows, streamsAt } from '../../domain/log/past/part-rows.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { type Asking, ask, askRow, askRows } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { type AnyTable, roots, streams } from '../../domain/log/tables.ts'
import { sessionRemoved } from '../../domain/sessions/session.ts'
import { past } from '../inputs.ts'
import { read } from '../operation.ts'

/** An answer is built and sent as one: beyond about so many characters it would hold up everybody else. */
const rowsCharsMax = 16 * 1024 * 1024

/** What the names, the quotes and the numbers of a row take up besides its texts, roughly. */
const charsOfColumn = 16

type Cell = string | number | null
type Shown = { [column: string]: Cell }

/**
 * The rows of a part as a follower needs them to go on by itself: it takes these and evolves them with the events of the feed
 * after `seq`. Which root they are of is said once, by its id: its number belongs to this store alone.
 */
export const logRows = read({
  name: 'log.rows',
  large: true,
  summary: 'Read the rows of a part as they are or were, to evolve them with the events that follow.',
  command: {
    words: ['log rows'],
    positional: ['part'],
    examples: ['cairn log rows sessions --json', 'cairn log rows state --at 40 --json'],
  },
  input: {
    part: text('The part: sessions, state …', { max: 64 }),
    table: optional(text('Only this table.', { max: 64 })),
    ...past,
  },
  snapshot: true,
  *read(input, { root, rootId }, _now, parts) {
    const part = parts.list.find(({ name }) => name === input.part)
    if (part === undefined) return noPart(input.part, parts)
    const place = yield* pastPlace(root, input, part)
    if (place instanceof Refusal) return place
    const head = yield* askRow(roots, root)
    if (head === undefined) return sessionRemoved()
    const seq = place ?? head.seq
    const point: ForkPoint = { root, at: seq, isLast: seq === head.seq, to: { root, id: rootId } }
    const { rows, sizes } = yield* evolvableRows(part, point)
    const tables = tablesOf([...rows, { table: streams, rows: yield* streamsOf(part, point, sizes) }], input.table)
    if (tables instanceof Refusal) return tables
    return { root_session_id: rootId, part: part.name, seq, hash: yield* hashAt(root, seq), tables }
  },
})

/** The streams of the part: without them nobody knows the next version, nor how much there is. */
function* streamsOf(part: Part, { root, at, isLast }: ForkPoint, sizes: ForkedRows['sizes']): Asking<object[]> {
  const own = (yield* askRows(streams, root)).filter(({ stream }) => part.owns(stream))
  if (isLast) return own
  return (yield* streamsAt(own, at)).map((row) => ({ ...row, ...sizes?.get(row.stream) }))
}

function* hashAt(root: number, seq: number): Asking<string> {
  const [event] = seq === 0 ? [] : yield* ask(aboutLog.log_since, root, seq - 1, 1)
  return event?.hash ?? firstHash
}

function tablesOf(all: ForkedRows['rows'], only: string | undefined): Record<string, Shown[]> | Refusal {
  const wanted = all.filter(({ table }) => only === undefined || table.name === only)
  if (wanted.length === 0) return noTable(only ?? '', all)
  let chars = 0
  const shown: Record<string, Shown[]> = {}
  for (const { table, rows } of wanted) {
    // How a row is kept is not what the log says, and is the same at every point.
    const left = ['root', ...table.unlogged]
    const columns = Object.keys(table.columns).filter((column) => !left.includes(column))
    shown[table.name] = sorted(table, rows).map((row) => {
      const cells = columns.map((column) => [column, (row as Shown)[column] ?? null] as const)
      for (const [, cell] of cells) chars += charsOfColumn + (typeof cell === 'string' ? cell.length : 0)
      return Object.fromEntries(cells)
    })
  }
  return chars > rowsCharsMax ? tooLarge(chars) : shown
}

/** In the order of their keys: how they were found is no matter. */
function sorted(table: AnyTable, rows: readonly object[]): readonly object[] {
  const keyOf = (row: object, name: string) => (row as Record<string, string | number>)[name] as string | number
  return [...rows].sort((a, b) => {
    const name = table.key.find((each) => keyOf(a, each) !== keyOf(b, each))
    if (name === undefined) return 0
    return keyOf(a, name) < keyOf(b, name) ? -1 : 1
  })
}

function noPart(asked: string, { list }: Parts): Refusal {
  const names = list.map(({ name }) => name)
  const hint = `Name one of ${names.join(', ')}.`
  return refuse('not_found', `There is no part ${JSON.stringify(asked)}.`, hint, { path: 'part', parts: names })
}

function noTable(asked: string, all: ForkedRows['rows']): Refusal {
  const names = all.map(({ table }) => table.name)
  const message = `This part has no logged table ${JSON.stringify(asked)}.`
  return refuse('not_found', message, `Name one of ${names.join(', ')}.`, { path: 'table', tables: names })
}

function tooLarge(chars: number): Refusal {
  const message = `These rows have about ${chars} characters; the limit of one answer is ${rowsCharsMax}.`
  const hint = 'Read one table at a time, or read what you need by name.'
  return refuse('value_too_large', message, hint, { limit: 'rowsChars', limit_value: rowsCharsMax })
}
