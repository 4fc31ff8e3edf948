import type { Answer } from '../../../domain/log/rows.ts'
import { sessionVariable } from '../../../home/session-meant.ts'
import { safe } from '../output.ts'
import { cut, table, widthOf } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { sentences } from '../wrap.ts'
import { fields } from './fields.ts'
import { ago, shortId, statusStyle, type View } from './view.ts'

interface SessionShown {
  session_id: string | null
  session_name: string
  slug: string
  status: string
  topic: string
  project_dir: string | null
  updated_at: string | null
  /** Of a root in a list. */
  last_event_at?: string
  children: SessionShown[]
  /** Of a fork: the event that it was forked after. */
  at?: number
  forked_from?: Origin
}

/** A fork as the tree of forks shows it; of one that was removed little is known. */
interface ForkShown extends Omit<SessionShown, 'session_name' | 'slug' | 'topic' | 'children'> {
  session_name: string | null
  slug: string | null
  topic: string | null
  forks: ForkShown[]
}

interface Origin {
  session_id: string | null
  at: number
}

function originText({ session_id: id, at }: Origin): string {
  return `${id ?? 'a root that was removed'}, after event ${at}`
}

/** A session without a name of its own is best known by what it is about. */
function titleOf({ session_name, slug, topic }: SessionShown): string {
  return session_name === slug ? topic : `${session_name}: ${topic}`
}

/** A fork is about the same as what it was forked from. */
function titleInList(session: SessionShown): string {
  const { forked_from: origin } = session
  if (origin === undefined) return titleOf(session)
  const from = origin.session_id === null ? 'a root that was removed' : shortId(origin.session_id)
  return `${titleOf(session)} (fork of ${from} at ${origin.at})`
}

export const sessionTable: View = ({ sessions, next_cursor }, terminal) => {
  const rows = sessions as unknown as SessionShown[]
  if (rows.length === 0) {
    return `${sentences('No open sessions. Create one with cairn session create "TOPIC"; ls -a shows ended ones too.', terminal)}\n`
  }
  const lines = table<SessionShown>(
    [
      { title: 'ID', cell: ({ session_id }) => shortId(session_id), style: () => 'bold' },
      { title: 'STATUS', cell: ({ status }) => status, style: ({ status }) => statusStyle(status) },
      { title: 'TOPIC', cell: titleInList, flexible: true },
      { title: 'PROJECT', cell: ({ project_dir }) => project_dir ?? '–', flexible: true },
      { title: 'UPDATED', cell: ({ last_event_at: active, updated_at }) => ago(active ?? updated_at) },
    ],
    rows,
    terminal,
  )
  return typeof next_cursor === 'string' ? `${lines}more: --cursor ${safe(next_cursor)}\n` : lines
}

/** What people call the members of a session, in the order in which they look for them. */
const labels: Readonly<Record<string, string>> = {
  topic: 'topic',
  status: 'status',
  reason: 'reason',
  session_id: 'id',
  session_name: 'name',
  slug: 'slug',
  parent_session_id: 'parent',
  root_session_id: 'root',
  forked_from: 'forked from',
  session_type: 'type',
  objective: 'objective',
  description: 'description',
  strategy: 'strategy',
  metadata: 'metadata',
  project_dir: 'project',
  root_disk: 'disk',
  created_at: 'created',
  updated_at: 'updated',
  ended_at: 'ended',
}

export const sessionFields: View = (
  { forked_from: origin, depth: _, root_disk: disk, ...answer },
  terminal,
  around,
) => {
  const from = origin === undefined ? {} : { forked_from: originText(origin as unknown as Origin) }
  const times = ['created_at', 'updated_at', 'ended_at'].filter((name) => typeof answer[name] === 'string')
  const exact = times.map((name) => [name, `${answer[name]} (${ago(answer[name])})`])
  // What only repeats another line is left out.
  const { session_name: name, root_session_id: root, ...rest } = answer
  const own = {
    ...rest,
    ...(name === answer.slug ? {} : { session_name: name }),
    ...(root === answer.session_id ? {} : { root_session_id: root }),
  }
  const all: Answer = { ...own, ...Object.fromEntries(exact), ...from, ...diskFields(disk) } as Answer
  const known = Object.keys(labels).filter((member) => all[member] !== undefined)
  const others = Object.keys(all).filter((member) => !Object.hasOwn(labels, member))
  const shown = [...known, ...others].map((member) => [labels[member] ?? member, all[member]])
  return fields(Object.fromEntries(shown) as Answer, terminal, around)
}

function diskFields(disk: unknown): Answer {
  const { bytes, limit } = (disk ?? {}) as { bytes?: number; limit?: number }
  return bytes === undefined || limit === undefined ? {} : { root_disk: `${bytes} of ${limit} bytes` }
}

/** However deep a session lies, this much of its title is shown. */
const titleColumnsMin = 20

export const sessionTree: View = (answer, terminal) => {
  const { forks, forked_from: origin, ...tree } = answer as unknown as SessionShown & { forks?: ForkShown[] }
  const lines = [...branch(tree, '', '', terminal), ...(forks === undefined ? [] : forkLines(forks, origin, terminal))]
  return lines.map((line) => `${line}\n`).join('')
}

/** Where a root came from, and what came from it. */
function forkLines(forks: readonly ForkShown[], origin: Origin | undefined, terminal: Terminal): string[] {
  const from = origin === undefined ? [] : [`Forked from ${originText(origin)}`]
  if (forks.length === 0) return [...from, sentences('No forks. Create one with cairn fork ID --at N.', terminal)]
  const each = forks.flatMap((fork, at) => twig(forkBranch(fork), at === forks.length - 1, '', terminal))
  return [...from, terminal.paint('bold', 'Forks'), ...each]
}

/** A fork as a branch of the tree of forks. */
function forkBranch({ forks, ...fork }: ForkShown): SessionShown {
  const topic = fork.topic ?? '–'
  return {
    ...fork,
    topic,
    session_name: fork.session_name ?? topic,
    slug: fork.slug ?? topic,
    children: forks.map(forkBranch),
  }
}

function branch(session: SessionShown, head: string, rest: string, terminal: Terminal): string[] {
  const { session_id: id, status, children, updated_at, at } = session
  const place = `${at === undefined ? '' : `at ${at}  `}${shortId(id)}  updated ${ago(updated_at)}`
  const room = terminal.columns - widthOf(`${head}  ${status}  ${place}`)
  const title = terminal.paint('bold', cut(safe(titleOf(session)), Math.max(titleColumnsMin, room)))
  const own = `${head}${title}  ${terminal.paint(statusStyle(status), status)}  ${terminal.paint('dim', place)}`
  return [own, ...children.flatMap((child, at) => twig(child, at === children.length - 1, rest, terminal))]
}

function twig(child: SessionShown, isLast: boolean, rest: string, terminal: Terminal): string[] {
  return branch(child, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`, terminal)
}

export const createdSession: View = ({ session_id, slug, status }, terminal) =>
  `${terminal.paint('bold', safe(String(slug)))} is ${terminal.paint(statusStyle(String(status)), String(status))}\n` +
  `${terminal.paint('dim', String(session_id))}\n`

export const forkedSession: View = (answer, terminal) => {
  const { session_id: id, origin_session_id: origin, at, status, ended_seq: end } = answer
  const made = `Forked ${shortId(origin)} after event ${at}\n${terminal.paint('bold', String(id))}\n`
  if (end === undefined) {
    const next = `Its own log begins with event ${Number(at) + 1}; to work in it: cairn use ${shortId(id)}`
    return `${made}${terminal.paint('dim', sentences(next, terminal))}\n`
  }
  const note =
    `The fork has ended too (${status}), as its origin had by event ${end}: it can be read, but not written to. ` +
    `For one to work in, fork before that: cairn fork ${shortId(origin)} --at ${Number(end) - 1}`
  return `${made}${terminal.paint('yellow', sentences(note, terminal))}\n`
}

export const endedSession: View = ({ session_id, status, also_ended }, terminal) => {
  const others = (also_ended as string[]).map(shortId)
  const note = others.length === 0 ? '' : `, and cancelled below it: ${others.join(', ')}`
  return `${shortId(session_id)} is ${terminal.paint(statusStyle(String(status)), String(status))}${note}\n`
}

export const usedSession: View = ({ slug, project_dir: project }, terminal) => {
  const used = `${terminal.paint('bold', safe(String(slug)))} is now the default session in ${safe(String(project))}\n`
  const variable = sessionVariable()
  return variable ? `${used}${variable} is set here and takes precedence.\n` : used
}
