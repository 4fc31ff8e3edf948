// A part that the product does not have: two facts, a view with a past, plain rows, operations and a route.
import { integer, optional, text } from '../../src/domain/log/input-schema.ts'
import { type Part, Parts } from '../../src/domain/log/part.ts'
import { ask, askRows, pastQuestion, question, questions } from '../../src/domain/log/questions.ts'
import { rowsAt } from '../../src/domain/log/row-past.ts'
import { type PastRef, rowOf } from '../../src/domain/log/rows.ts'
import { past } from '../../src/domain/log/sql/text.ts'
import { table } from '../../src/domain/log/tables.ts'
import { partList } from '../../src/domain/parts.ts'
import { change, read } from '../../src/operations/operation.ts'
import { migrations } from '../../src/store/migrations.ts'
import type { Path } from '../../src/surfaces/http/rest/paths.ts'

type NoteFact =
  | { type: 'note_written'; key: string; data: { text: string } }
  | { type: 'note_struck'; key: string; data: Record<string, never> }

declare module '../../src/domain/log/event.ts' {
  interface FactsOfParts {
    notes: NoteFact
  }
}

interface NoteRow {
  root: number
  name: string
  words: string | null
  seq: number
}

const notes = table<NoteRow>(
  'notes',
  ['name'],
  { root: 'integer', name: 'text', words: 'text', seq: 'integer' },
  { past: true },
)

interface MarkRow {
  root: number
  name: string
  marks: number
}

/** How often a note was looked at: no event tells of it. */
const noteMarks = table<MarkRow>(
  'note_marks',
  ['name'],
  { root: 'integer', name: 'text', marks: 'integer' },
  { view: false, carried: true },
)

/** What the store can be asked about notes. Nothing in src/ has heard of it. */
const aboutNotes = questions({
  note_count: question<{ count: number }>('SELECT count(*) AS count FROM notes WHERE root = $1 AND words IS NOT NULL'),
  note_at: pastQuestion<{ row: string }>(
    past(
      'row_versions',
      (p) => `SELECT v.row FROM ${p.from} WHERE ${p.where({ upto: '$3' })} AND v.tbl = '${notes.name}' AND v.place = $2
        ORDER BY v.seq DESC LIMIT 1`,
    ),
  ),
})

function noteAt(name: string, at: number): PastRef<{ row: string }> {
  return { past: aboutNotes.note_at, with: [name, at] }
}

const stream = 'notes'

function partOf(bodies: Part['bodies']): Part {
  return {
    name: 'notes',
    owns: (name) => name === stream,
    tables: [notes, noteMarks],
    evolve: {
      note_written: (
        rows,
        { root, key, seq, data }: { root: number; key: string; seq: number; data: { text: string } },
      ) => rows.put(notes, { root, name: key, words: data.text, seq }),
      note_struck: (rows, { root, key, seq }: { root: number; key: string; seq: number }) =>
        rows.put(notes, { root, name: key, words: null, seq }),
    } as Part['evolve'],
    bodies,
    secrets: 'refuse',
  }
}

const name = text('Name of the note.', { max: 64 })

const write = change({
  name: 'note.write',
  summary: 'Write a note.',
  command: { words: [] },
  input: { name, words: text('What it says.', { max: 1000 }) },
  needs: (input) => [rowOf(notes, input.name)],
  decide(input, on) {
    const { seq } = on.record({ type: 'note_written', stream, key: input.name, data: { text: input.words } })
    return { name: input.name, seq }
  },
})

const strike = change({
  name: 'note.strike',
  summary: 'Strike a note out.',
  command: { words: [] },
  input: { name },
  needs: (input) => [rowOf(notes, input.name)],
  decide(input, on) {
    const { seq } = on.record({ type: 'note_struck', stream, key: input.name, data: {} })
    return { name: input.name, seq }
  },
})

const mark = change({
  name: 'note.mark',
  summary: 'Mark a note as seen.',
  command: { words: [] },
  input: { name },
  needs: (input) => [rowOf(noteMarks, input.name)],
  decide(input, on) {
    const marks = (on.rows.get(noteMarks, input.name)?.marks ?? 0) + 1
    on.keep(noteMarks, { root: on.rows.root, name: input.name, marks })
    return { name: input.name, marks }
  },
})

const recall = change({
  name: 'note.recall',
  summary: 'Write again what a note said.',
  command: { words: [] },
  input: { name, at: integer('After this event.') },
  startsGroup: true,
  needs: ({ name, at }) => [rowOf(notes, name), noteAt(name, at)],
  decide({ name, at }, on) {
    const [then] = on.rows.past(noteAt(name, at))
    const words = then === undefined ? '' : String(JSON.parse(then.row)[1])
    const { seq } = on.record({ type: 'note_written', stream, key: name, data: { text: words } })
    return { name, words, seq }
  },
})

const count = read({
  name: 'note.count',
  summary: 'Count notes.',
  command: { words: [] },
  input: {},
  snapshot: false,
  *read(_, { root }) {
    const [found] = yield* ask(aboutNotes.note_count, root)
    return { count: found?.count ?? 0 }
  },
})

const list = read({
  name: 'note.list',
  summary: 'List notes.',
  command: { words: [] },
  input: { at: optional(integer('As of this event.')) },
  snapshot: true,
  *read(input, { root }) {
    const rows = input.at === undefined ? yield* askRows(notes, root) : yield* rowsAt(notes, root, input.at)
    const marked = yield* askRows(noteMarks, root)
    return {
      notes: rows
        .filter(({ words }) => words !== null)
        .map(({ name, words, seq }) => ({ name, words: words ?? '', seq })),
      marks: marked.map(({ name, marks }) => ({ name, marks })),
    }
  },
})

export const noteOperations = { write, strike, mark, recall, count, list }

const paths: readonly Path[] = [
  { method: 'PUT', path: '/sessions/{session}/notes/{name}', operation: 'note.write', status: 201 },
  { method: 'GET', path: '/sessions/{session}/notes', operation: 'note.list' },
]

const sql = `CREATE TABLE notes (
  root INTEGER NOT NULL,
  name TEXT NOT NULL,
  words TEXT,
  seq INTEGER NOT NULL,
  PRIMARY KEY (root, name)
);
CREATE TABLE note_marks (
  root INTEGER NOT NULL,
  name TEXT NOT NULL,
  marks INTEGER NOT NULL,
  PRIMARY KEY (root, name)
)`

/** What is handed in when a store is opened. */
export function withNotes(bodies: Part['bodies'] = 'removable') {
  return {
    parts: new Parts([...partList, partOf(bodies)]),
    migrations: [{ number: migrations.length + 1, name: 'notes', sql }],
    operations: Object.values(noteOperations),
    paths,
  }
}
