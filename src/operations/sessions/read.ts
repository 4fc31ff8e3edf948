import { flag, optional, text } from '../../domain/log/input-schema.ts'
import type { SessionFound } from '../../domain/log/questions.ts'
import { ask } from '../../domain/log/questions.ts'
import { type SessionShown, sessionRemoved, showSession } from '../../domain/sessions/session.ts'
import { cursor, limit } from '../inputs.ts'
import { read, readStore } from '../operation.ts'
import { type ForkShown, forksOf, originOf } from './fork-tree.ts'

function aboveIn(rows: readonly SessionFound[], row: SessionFound): string | null {
  return rows.find((other) => other.no === row.parent_no)?.id ?? null
}

export const sessionList = readStore({
  name: 'session.list',
  summary: 'List the roots, newest first.',
  command: { words: ['session ls', 'ls'] },
  input: {
    all: optional(flag('Also those that have ended.')),
    project: optional(text('Only those of this working directory.', { max: 4096 })),
    limit,
    cursor: cursor('sess_'),
  },
  snapshot: false,
  *read(input) {
    const limit = input.limit ?? 50
    const before = input.cursor ?? '~'
    const rows = yield* ask('roots_newest_first', before, input.project ?? null, input.all ? 1 : 0, limit + 1)
    const page = rows.slice(0, limit)
    const next = rows.length > limit ? (page.at(-1)?.id ?? null) : null
    return { sessions: page.map((row) => showSession(row, null)), next_cursor: next }
  },
})

export const sessionShow = read({
  name: 'session.show',
  summary: 'Show a session.',
  command: { words: ['session show', 'show'], positional: ['session'] },
  input: {},
  snapshot: false,
  *read(_input, { root, no }) {
    const rows = yield* ask('sessions_of_root', root)
    const row = rows.find((other) => other.no === no)
    if (row === undefined) return sessionRemoved()
    const children = rows.filter((other) => other.parent_no === no).map((child) => child.id)
    const origin = no === 0 ? yield* originOf(root) : undefined
    return { ...showSession(row, aboveIn(rows, row)), ...(origin && { forked_from: origin }), children }
  },
})

/** The children of each session, by its number. */
function childrenIn(rows: readonly SessionFound[]): Map<number | null, SessionFound[]> {
  const below = new Map<number | null, SessionFound[]>()
  for (const row of rows) {
    const children = below.get(row.parent_no)
    if (children === undefined) below.set(row.parent_no, [row])
    else children.push(row)
  }
  return below
}

type Branch = SessionShown & { children: Branch[] }
type Tree = Branch & { forks?: ForkShown[] }

export const sessionTree = read({
  name: 'session.tree',
  summary: 'Show a session and all below it, and how its root was forked.',
  command: { words: ['session tree', 'tree'], positional: ['session'] },
  input: {
    forks: optional(flag('Also the forks of the root and those of its forks, each with the event it follows.')),
  },
  snapshot: false,
  *read(input, { root, no }) {
    const rows = yield* ask('sessions_of_root', root)
    const below = childrenIn(rows)
    const branch = (row: SessionFound, above: string | null): Branch => ({
      ...showSession(row, above),
      children: (below.get(row.no) ?? []).map((child) => branch(child, row.id)),
    })
    const top = rows.find((row) => row.no === no)
    if (top === undefined) return sessionRemoved()
    const tree: Tree = branch(top, aboveIn(rows, top))
    return input.forks ? { ...tree, forks: yield* forksOf(root) } : tree
  },
})
