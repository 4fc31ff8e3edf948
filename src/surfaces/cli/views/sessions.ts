import type { Answer } from '../../../domain/log/rows.ts'
import { sessionVariable } from '../../../home/session-meant.ts'
import { safe } from '../output.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { cut, table, widthOf } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { sentences } from '../wrap.ts'
import { fields } from './fields.ts'
import { ago, shortId, statusStyle, type ViewOf } from './view.ts'

type Root = AnswerOf<'session.list'>['sessions'][number]
type Tree = AnswerOf<'session.tree'>
type Forks = NonNullable<Tree['forks']>
type Origin = NonNullable<Tree['forked_from']>

/** A session in a tree, or a fork in a tree of forks: of one that was removed little is known. */
interface Branch extends Pick<Root, 'session_name' | 'slug' | 'topic'> {
  readonly status: string
  readonly session_id: string | null
  readonly updated_at: string | null
  readonly children: readonly Branch[]
  /** Of a fork: the event that it was forked after. */
  readonly at?: number
}

function originText({ session_id: id, at }: Origin): string {
  return `${id ?? 'a root that was removed'}, after event ${at}`
}

/** A session without a name of its own is best known by what it is about. */
function titleOf({ session_name, slug, topic }: Pick<Root, 'session_name' | 'slug' | 'topic'>): string {
  return session_name === slug ? topic : `${session_name}: ${topic}`
}

/** A fork is about the same as what it was forked from. */
function titleInList(session: Root): string {
  const { forked_from: origin } = session
  if (origin === undefined) return titleOf(session)
  const from = origin.session_id === null ? 'a root that was removed' : shortId(origin.session_id)
  return `${titleOf(session)} (fork of ${from} at ${origin.at})`
}

export const sessionTable: ViewOf<'session.list'> = ({ sessions, next_cursor }, terminal) => {
  if (sessions.length === 0) {
    return `${sentences('No open sessions. Create one with cairn session create "TOPIC"; ls -a shows ended ones too.', terminal)}\n`
  }
  const lines = table<Root>(
    [
      { title: 'ID', cell: ({ session_id }) => shortId(session_id), style: () => 'bold' },
      { title: 'STATUS', cell: ({ status }) => status, style: ({ status }) => statusStyle(status) },
      { title: 'TOPIC', cell: titleInList, flexible: true },
      { title: 'PROJECT', cell: ({ project_dir }) => project_dir ?? '–', flexible: true },
      { title: 'UPDATED', cell: ({ last_event_at: active, updated_at }) => ago(active ?? updated_at) },
    ],
    sessions,
    terminal,
  )
  return next_cursor === null ? lines : `${lines}more: --cursor ${safe(next_cursor)}\n`
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

export const sessionFields: ViewOf<'session.show'> = (answer, terminal, around) => {
  const { forked_from: origin, depth: _, root_disk: disk, session_name: name, root_session_id: root, ...rest } = answer
  // What only repeats another line is left out.
  const all: Answer = {
    ...rest,
    ...(name === answer.slug ? {} : { session_name: name }),
    ...(root === answer.session_id ? {} : { root_session_id: root }),
    created_at: exact(answer.created_at),
    updated_at: exact(answer.updated_at),
    ...(answer.ended_at === null ? {} : { ended_at: exact(answer.ended_at) }),
    ...(origin === undefined ? {} : { forked_from: originText(origin) }),
    ...(disk === undefined ? {} : { root_disk: `${disk.bytes} of ${disk.limit} bytes` }),
  }
  const known = Object.keys(labels).filter((member) => all[member] !== undefined)
  const others = Object.keys(all).filter((member) => !Object.hasOwn(labels, member))
  const shown = [...known, ...others].map((member) => [labels[member] ?? member, all[member]])
  return fields(Object.fromEntries(shown), terminal, around)
}

function exact(time: string): string {
  return `${time} (${ago(time)})`
}

/** However deep a session lies, this much of its title is shown. */
const titleColumnsMin = 20

export const sessionTree: ViewOf<'session.tree'> = (answer, terminal) => {
  const { forks, forked_from: origin, ...tree } = answer
  const lines = [...branch(tree, '', '', terminal), ...(forks === undefined ? [] : forkLines(forks, origin, terminal))]
  return lines.map((line) => `${line}\n`).join('')
}

/** Where a root came from, and what came from it. */
function forkLines(forks: Forks, origin: Origin | undefined, terminal: Terminal): string[] {
  const from = origin === undefined ? [] : [`Forked from ${originText(origin)}`]
  if (forks.length === 0) return [...from, sentences('No forks. Create one with cairn fork ID --at N.', terminal)]
  const each = forks.flatMap((fork, at) => twig(forkBranch(fork), at === forks.length - 1, '', terminal))
  return [...from, terminal.paint('bold', 'Forks'), ...each]
}

/** A fork as a branch of the tree of forks. */
function forkBranch({ forks, ...fork }: Forks[number]): Branch {
  const topic = fork.topic ?? '–'
  return {
    ...fork,
    topic,
    session_name: fork.session_name ?? topic,
    slug: fork.slug ?? topic,
    children: forks.map(forkBranch),
  }
}

function branch(session: Branch, head: string, rest: string, terminal: Terminal): string[] {
  const { session_id: id, status, children, updated_at, at } = session
  const place = `${at === undefined ? '' : `at ${at}  `}${shortId(id)}  updated ${ago(updated_at)}`
  const room = terminal.columns - widthOf(`${head}  ${status}  ${place}`)
  const title = terminal.paint('bold', cut(safe(titleOf(session)), Math.max(titleColumnsMin, room)))
  const own = `${head}${title}  ${terminal.paint(statusStyle(status), status)}  ${terminal.paint('dim', place)}`
  return [own, ...children.flatMap((child, at) => twig(child, at === children.length - 1, rest, terminal))]
}

function twig(child: Branch, isLast: boolean, rest: string, terminal: Terminal): string[] {
  return branch(child, `${rest}${isLast ? '└─ ' : '├─ '}`, `${rest}${isLast ? '   ' : '│  '}`, terminal)
}

export const createdSession: ViewOf<'session.create'> = ({ session_id, slug, status }, terminal) =>
  `${terminal.paint('bold', safe(slug))} is ${terminal.paint(statusStyle(status), status)}\n` +
  `${terminal.paint('dim', session_id)}\n`

export const forkedSession: ViewOf<'session.fork'> = (answer, terminal) => {
  const { session_id: id, origin_session_id: origin, at, status, ended_seq: end } = answer
  const made = `Forked ${shortId(origin)} after event ${at}\n${terminal.paint('bold', id)}\n`
  if (end === undefined) {
    const next = `Its own log begins with event ${at + 1}; to work in it: cairn use ${shortId(id)}`
    return `${made}${terminal.paint('dim', sentences(next, terminal))}\n`
  }
  const note =
    `The fork has ended too (${status}), as its origin had by event ${end}: it can be read, but not written to. ` +
    `For one to work in, fork before that: cairn fork ${shortId(origin)} --at ${end - 1}`
  return `${made}${terminal.paint('yellow', sentences(note, terminal))}\n`
}

export const endedSession: ViewOf<'session.end'> = ({ session_id, status, also_ended }, terminal) => {
  const others = also_ended.map(shortId)
  const note = others.length === 0 ? '' : `, and cancelled below it: ${others.join(', ')}`
  return `${shortId(session_id)} is ${terminal.paint(statusStyle(status), status)}${note}\n`
}

export const usedSession: ViewOf<'project.use'> = ({ slug, project_dir: project }, terminal) => {
  const used = `${terminal.paint('bold', safe(slug))} is now the default session in ${safe(project)}\n`
  const variable = sessionVariable()
  return variable ? `${used}${variable} is set here and takes precedence.\n` : used
}
