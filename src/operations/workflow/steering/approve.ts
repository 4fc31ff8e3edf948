import type { Deciding } from '../../../domain/log/deciding.ts'
import { Refusal } from '../../../domain/log/refusal.ts'
import { workflowStream } from '../../../domain/workflow/facts.ts'
import { change } from '../../operation.ts'
import { steered } from './answer.ts'
import { parkingOf, statusOf } from './deeds.ts'
import { targetIn, targetMembers, targetRefs } from './target.ts'
import { meet, needOf, waitingAgents } from './waiting.ts'

export const sessionApprove = change({
  name: 'session.approve',
  summary: 'Approve what an agent waits for: its start, its result, or that it goes on.',
  command: { words: ['session approve', 'approve'], positional: ['session'], topic: 'Run agents' },
  reach: 'owner',
  input: targetMembers,
  needs: (asked, rows, { no }) => targetRefs(rows, asked, no),
  decide(asked, on) {
    const target = targetIn(on, asked)
    if (target instanceof Refusal) return target
    const nos = waitingAgents(on, target, (no) => isAsking(on, no), 'an approval')
    if (nos instanceof Refusal) return nos
    for (const no of nos) approve(on, no)
    return steered(on, target, nos.length)
  },
})

function isAsking(on: Deciding, no: number): boolean {
  const why = parkingOf(on, no)
  return statusOf(on, no) === 'resumable' && (why === 'approval' || why === 'consent')
}

function approve(on: Deciding, agent: number): void {
  const need = needOf(on, agent, 'approval')
  if (need !== undefined) meet(on, need, 'approved')
  const by = parkingOf(on, agent) === 'consent' ? 'consent' : 'approval'
  on.record({ type: 'agent_woken', stream: workflowStream, data: { agent, by } })
}
