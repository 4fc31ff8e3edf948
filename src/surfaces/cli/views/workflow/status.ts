import type { Answer } from '../../../../domain/log/rows.ts'
import { safe } from '../../output.ts'
import { cut, table } from '../../table.ts'
import type { Terminal } from '../../terminal.ts'
import { ago, shortId, statusStyle, until, type View } from '../view.ts'

interface AgentShown {
  id: string
  name: string
  session_id: string
  role: string
  status: string
  reason: string | null
  waits_for: string | null
  wake_at: string | null
  held: boolean
  attempts: number
  exit_code: number | null
  started_at: string | null
  completed_at: string | null
  phase: number | null
}

interface PhaseShown {
  phase: number
  name: string
  state: string
}

interface NeedShown {
  kind: string
  agent: string | null
  text: string
  since: string
}

/** Why an agent is as it is, in a few words. */
function noteOf({ status, reason, waits_for, wake_at, held, exit_code }: AgentShown): string {
  if (waits_for !== null)
    return `waits: ${waits_for.replaceAll('_', ' ')}${wake_at === null ? '' : ` (${until(wake_at)})`}`
  if (held && status !== 'paused') return 'paused'
  if (reason !== null) return reason
  return exit_code === null || exit_code === 0 ? '' : `exit code ${exit_code}`
}

function agentTable(agents: readonly AgentShown[], phases: readonly PhaseShown[], terminal: Terminal): string {
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
export const statusView: View = (answer, terminal) => {
  const session = answer.session as unknown as { topic: string; status: string; session_id: string }
  const agents = answer.agents as unknown as AgentShown[]
  const detail = answer.progress_detail as unknown as Record<string, { total: number; done: number }> & { from: string }
  const { total, done } = detail[detail.from as 'agents'] ?? { total: 0, done: 0 }
  const what = detail.from === 'checkpoints' ? 'build checkpoints' : detail.from
  const estimate = typeof answer.estimated_completion === 'string' ? `, done ${until(answer.estimated_completion)}` : ''
  const head = `${shortId(session.session_id)}  ${session.status}  ${safe(session.topic)}\n`
  const progress = total === 0 ? '' : `${bar(answer.progress as number)}  ${done} of ${total} ${what}${estimate}\n`
  const list = agents.length === 0 ? '' : `\n${agentTable(agents, answer.phases as unknown as PhaseShown[], terminal)}`
  return head + progress + list + needsOf(answer, terminal)
}

function needsOf({ needs }: Answer, { columns }: Terminal): string {
  const all = needs as unknown as NeedShown[]
  if (all.length === 0) return ''
  const lines = all.map(({ kind, agent, text, since }) => {
    const line = `${kind}${agent === null ? '' : ` of ${agent}`} (${ago(since)}): ${text.split('\n', 1)[0]}`
    return `  ${safe(cut(line, columns - 2))}`
  })
  return `\nNeeds you\n${lines.join('\n')}\n`
}

/** What was steered, and how it is now. */
export const steeredView: View = ({ id, phase, session_name: name, status, agents, held }) => {
  const what = id !== undefined ? `agent ${id}` : phase !== undefined ? `phase ${phase}` : `session ${name}`
  const count =
    id === undefined && typeof agents === 'number' && agents > 0 ? ` (${agents} agent${agents === 1 ? '' : 's'})` : ''
  return `${safe(what)} is ${status}${held === true && status !== 'paused' ? ', and paused' : ''}${count}\n`
}

export const spawnedView: View = ({ id, name }) => `agent ${safe(String(id))} was added (${safe(String(name))})\n`

export const extendedView: View = ({ agents }) => {
  const ids = (agents as unknown as { id: string }[]).map(({ id }) => id)
  return ids.length === 0 ? 'the workflow was extended\n' : `added: ${safe(ids.join(', '))}\n`
}

export const askedView: View = ({ need }) => `asked (need ${need}): the answer comes when this session goes on\n`
