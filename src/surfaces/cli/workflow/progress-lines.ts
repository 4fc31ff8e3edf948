import { durationText } from '../../../domain/log/duration.ts'
import { safe } from '../output.ts'
import { widthOf } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { statusStyle } from '../views/view.ts'
import { agentLine, lineOf, type Piece } from './agent-line.ts'
import { type AgentShown, isEnded, type PhaseShown, type StatusShown } from './status-shown.ts'

const idWidthMax = 24
const roleWidthMax = 16

/** Those one wants to see most, where there is no room for all. */
const ranks: Readonly<Record<string, number>> = {
  running: 0,
  paused: 0,
  resumable: 1,
  failed: 2,
  created: 3,
  completed: 4,
}
const rankOthers = 5

export interface Looking {
  readonly now: number
  /** How many lines there is room for. */
  readonly rows: number
  /** The last line of what an agent has put out. */
  said(agent: AgentShown): string
  /** What is told besides. */
  readonly notice?: string | undefined
}

/** All of a workflow as lines: phases with their agents, and how far the whole is. */
export function progressLines(status: StatusShown, terminal: Terminal, looking: Looking): string[] {
  const { session, agents, phases } = status
  const head: Piece[] = [
    { text: safe(session.objective ?? session.topic), style: 'bold' },
    { text: '  ' },
    { text: session.status, style: statusStyle(session.status) },
    { text: ` ${durationSince(session.created_at, session.ended_at, looking.now)}`, style: 'dim' },
  ]
  const foot = [[{ text: summaryText(status, looking.now) }], ...(looking.notice ? [[{ text: looking.notice }]] : [])]
  const shownPhases = phases.filter(({ phase }) => agents.some((agent) => agent.phase === phase))
  const room = Math.max(3, looking.rows - foot.length - 2 - shownPhases.length)
  const kept = mostWanted(agents, room)
  const widths = {
    id: Math.min(idWidthMax, Math.max(...kept.map(({ id }) => widthOf(safe(id))), 0)),
    role: Math.min(roleWidthMax, Math.max(...kept.map(({ role }) => widthOf(safe(role))), 0)),
  }
  const line = (agent: AgentShown, indent: string) => {
    const said = agent.status === 'running' ? looking.said(agent) : ''
    return agentLine(agent, widths, { now: looking.now, said, indent })
  }
  const loose = kept.filter(({ phase }) => !shownPhases.some((each) => each.phase === phase))
  const body = [
    ...shownPhases.flatMap((phase) => [
      phaseLine(phase),
      ...kept.filter((agent) => agent.phase === phase.phase).map((agent) => line(agent, '    ')),
    ]),
    ...loose.map((agent) => line(agent, '  ')),
    ...restLine(agents, kept),
  ]
  return [head, ...body, ...foot].map((pieces) => lineOf(pieces, terminal))
}

function phaseLine({ name, state }: PhaseShown): Piece[] {
  const style = statusStyle(state === 'planned' ? 'created' : state)
  return [{ text: `  ${safe(name)}  ` }, { text: state, style }]
}

function mostWanted(agents: readonly AgentShown[], room: number): AgentShown[] {
  if (agents.length <= room) return [...agents]
  const rankOf = ({ status }: AgentShown) => ranks[status] ?? rankOthers
  const chosen = new Set([...agents].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, room - 1))
  return agents.filter((agent) => chosen.has(agent))
}

function restLine(agents: readonly AgentShown[], kept: readonly AgentShown[]): Piece[][] {
  if (kept.length === agents.length) return []
  const left = new Set(kept)
  const counts = new Map<string, number>()
  for (const agent of agents) if (!left.has(agent)) counts.set(agent.status, (counts.get(agent.status) ?? 0) + 1)
  const text = [...counts].map(([status, count]) => `${count} ${status}`).join(', ')
  return [[{ text: `  … and ${agents.length - kept.length} more: ${text}`, style: 'dim' }]]
}

/** `3 of 5 done · 60% · about 2 min left` */
export function summaryText(status: StatusShown, now: number): string {
  const { session, agents, progress, needs, estimated_completion: end } = status
  const done = agents.filter((agent) => isEnded(agent.status)).length
  const waits = isEnded(session.status) ? 0 : needs.length
  const left = end === null || isEnded(session.status) ? undefined : Date.parse(end) - now
  const parts = [
    `${done} of ${agents.length} done`,
    `${Math.floor(progress * 100)}%`,
    ...(left === undefined ? [] : [left < 1000 ? 'almost done' : `about ${durationText(left)} left`]),
    ...(waits === 0 ? [] : [`${waits} ${waits === 1 ? 'needs' : 'need'} you: cairn needs`]),
  ]
  return parts.join(' · ')
}

function durationSince(from: string, to: string | null, now: number): string {
  return durationText((to === null ? now : Date.parse(to)) - Date.parse(from))
}
