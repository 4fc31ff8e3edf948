import type { Deciding } from '../../../domain/log/deciding.ts'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import { change } from '../../operation.ts'
import { steered } from './answer.ts'
import { become, hold, notNow, statusOf } from './deeds.ts'
import { refuseNoWorkflow, type Target, targetIn, targetMembers, targetRefs } from './target.ts'

export const sessionStart = change({
  name: 'session.start',
  summary: 'Start the workflow of a root, or an agent or phase that was held back.',
  command: { words: ['session start', 'start'], positional: ['session'] },
  reach: 'owner',
  input: targetMembers,
  needs: (asked, rows, { no }) => targetRefs(rows, asked, no),
  decide(asked, on) {
    const target = refuseNoWorkflow(on.rows) ?? targetIn(on, asked)
    if (target instanceof Refusal) return target
    const done = target.of === 'root' ? startRoot(on) : release(on, target)
    return done instanceof Refusal ? done : steered(on, target, done)
  },
})

function startRoot(on: Deciding): number | Refusal {
  const status = statusOf(on, 0)
  if (status === 'created') {
    become(on, 0, 'running')
    return 0
  }
  const hints: { readonly [status: string]: string } = {
    paused: 'Let it go on with `session.resume`.',
    running: 'Look at it with `session.status`.',
    completed: 'Run a phase of it again with `session.retry`.',
  }
  return notNow(on, 0, 'and was started before', hints[status] ?? 'Run what failed again with `session.retry`.')
}

/** They are started when their turn comes. */
function release(on: Deciding, target: Exclude<Target, { of: 'root' }>): number | Refusal {
  if (target.of === 'session') return notAnAgent()
  const root = statusOf(on, 0)
  if (root !== 'running') return notNow(on, 0, 'and starts nothing now', 'Start or resume the whole session first.')
  const nos = target.of === 'agent' ? [target.no] : target.agents.map(({ no }) => no)
  if (target.of === 'agent' && statusOf(on, target.no) !== 'created') {
    return notNow(
      on,
      target.no,
      'and was started before',
      'Let it go on with `session.resume`, or run it again with `session.retry`.',
    )
  }
  return nos.filter((no) => statusOf(on, no) === 'created' && hold(on, no, false)).length
}

export function notAnAgent(): Refusal {
  const message = 'This session is no agent of a workflow, so there is nothing that Cairn runs in it.'
  return refuse('illegal_transition', message, 'Name the root, or an agent: `session.status` lists them.')
}
