import { safe } from '../../output.ts'
import type { AnswerOf } from '../../registry/presentation.ts'
import { cut, table, widthOf } from '../../table.ts'
import type { Terminal } from '../../terminal.ts'
import { ago, shortId, statusStyle, until, type ViewOf } from '../view.ts'

type Status = AnswerOf<'session.status'>
type AgentShown = Status['agents'][number]

/** Why an agent is as it is, in a few words. */
function noteOf({ status, reason, waits_for, wake_at, held, exit_code }: AgentShown): string {
  if (waits_for !== null)
    return `waits: ${waits_for.replaceAll('_', ' ')}${wake_at === null ? '' : ` (${until(wake_at)})`}`
  if (held && status !== 'paused') return 'paused'
  if (reason !== null) return reason
  return exit_code === null || exit_code === 0 ? '' : `exit code ${exit_code}`
}

function agentTable(agents: readonly AgentShown[], phases: Status['phases'], terminal: Terminal): string {
  const names = new Map(phases.map(({ phase, name }) => [phase, name]))
  return table<AgentShown>(
    [
      { title: 'AGENT', cell: ({ id }) => id, style: () => 'bold' },
      { title: 'ROLE', cell: ({ role }) => role },
      ...(phases.length > 0 ? [{ title: 'PHASE', cell: ({ phase }: AgentShown) => names.get(phase ?? 0) ?? '–' }] : []),
      { title: 'STATUS', cell: ({ status }) => status, style: ({ status }) => statusStyle(status) },
      { title: 'RUNS', cell: ({ attempts }) => String(attempts) },
      { title: 'STARTED', cell: ({ started_at }) => ago(started_at) },
      { title: 'NOTE', cell: noteOf, flexible: true },
    ],
    agents,
    terminal,
  )
}

const barCells = 20

function bar(share: number): string {
  const full = Math.round(share * barCells)
  return `${'█'.repeat(full)}${'░'.repeat(barCells - full)} ${Math.floor(share * 100)}%`
}

/** The session, its progress and agents, and what waits for whoever looks at it. */
export const statusView: ViewOf<'session.status'> = (answer, terminal) => {
  const { session, agents, phases, progress_detail: detail, estimated_completion: end } = answer
  const { total, done } = detail[detail.from]
  const what = detail.from === 'checkpoints' ? 'build checkpoints' : detail.from
  const estimate = end === null ? '' : `, done ${until(end)}`
  const head = `${shortId(session.session_id)}  ${session.status}  ${safe(session.topic)}\n`
  const progress = total === 0 ? '' : `${bar(answer.progress)}  ${done} of ${total} ${what}${estimate}\n`
  const list = agents.length === 0 ? '' : `\n${agentTable(agents, phases, terminal)}`
  return head + progress + list + treesOf(agents) + needsOf(answer, terminal)
}

/** What agents did in work trees of their own is on these branches. A path is not cut: one goes there. */
function treesOf(agents: readonly AgentShown[]): string {
  const there = agents.filter(({ worktree }) => worktree !== null)
  if (there.length === 0) return ''
  const width = Math.max(...there.map(({ branch }) => widthOf(safe(branch ?? ''))))
  const lines = there.map(({ branch, worktree }) => {
    const name = safe(branch ?? '')
    return `  ${name}${' '.repeat(width - widthOf(name))}  ${safe(worktree ?? '')}`
  })
  return `\nBranches, and where they are checked out\n${lines.join('\n')}\n`
}

function needsOf({ needs }: Status, { columns }: Terminal): string {
  if (needs.length === 0) return ''
  const lines = needs.map(({ kind, agent, text, since }) => {
    const line = `${kind}${agent === null ? '' : ` of ${agent}`} (${ago(since)}): ${text.split('\n', 1)[0]}`
    return `  ${safe(cut(line, columns - 2))}`
  })
  return `\nNeeds you\n${lines.join('\n')}\n`
}

/** What was steered, and how it is now. */
export const steeredView: ViewOf<
  | 'session.start'
  | 'session.pause'
  | 'session.resume'
  | 'session.cancel'
  | 'session.retry'
  | 'session.approve'
  | 'session.answer'
> = ({ id, phase, session_name: name, status, agents, held }) => {
  const what = id !== undefined ? `agent ${id}` : phase !== undefined ? `phase ${phase}` : `session ${name}`
  const count = id === undefined && agents > 0 ? ` (${agents} agent${agents === 1 ? '' : 's'})` : ''
  return `${safe(what)} is ${status}${held === true && status !== 'paused' ? ', and paused' : ''}${count}\n`
}

export const spawnedView: ViewOf<'session.spawn'> = ({ id, name }) => `agent ${safe(id)} was added (${safe(name)})\n`

export const extendedView: ViewOf<'workflow.extend'> = ({ agents }) => {
  const ids = agents.map(({ id }) => id)
  return ids.length === 0 ? 'the workflow was extended\n' : `added: ${safe(ids.join(', '))}\n`
}

export const askedView: ViewOf<'session.ask'> = ({ need }) =>
  `asked (need ${need}): the answer comes when this session goes on\n`
