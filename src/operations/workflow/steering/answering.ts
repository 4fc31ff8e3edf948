import { needRefs, openNeed, raiseNeed } from '../../../domain/journal/need.ts'
import type { Deciding } from '../../../domain/log/deciding.ts'
import { list, optional } from '../../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import { line, prose } from '../../../domain/log/text/entries.ts'
import { hasEnded } from '../../../domain/sessions/lifecycle.ts'
import type { SessionRow } from '../../../domain/sessions/tables.ts'
import { workflowStream } from '../../../domain/workflow/facts.ts'
import { needAbout } from '../../../domain/workflow/needs.ts'
import { agents } from '../../../domain/workflow/tables.ts'
import { mayWrite } from '../../may-write.ts'
import { change } from '../../operation.ts'
import { agentRefs } from '../moves/about.ts'
import { steered } from './answer.ts'
import { targetIn, targetMembers, targetRefs } from './target.ts'
import { meet, needOf, waitingAgents } from './waiting.ts'

export const sessionAnswer = change({
  name: 'session.answer',
  summary: 'Answer the question of an agent: it is told when it goes on.',
  command: { words: ['session answer', 'answer'], positional: ['session', 'text'] },
  reach: 'owner',
  input: { text: prose('The answer.'), ...targetMembers },
  needs: (asked, rows, { no }) => targetRefs(rows, asked, no),
  decide({ text, ...asked }, on) {
    const target = targetIn(on, asked)
    if (target instanceof Refusal) return target
    const nos = waitingAgents(on, target, (no) => needOf(on, no, 'question') !== undefined, 'an answer')
    if (nos instanceof Refusal) return nos
    for (const no of nos) answer(on, no, text)
    return steered(on, target, nos.length)
  },
})

/** One that still runs is told when it is next started; it may also read the answer where it asked. */
function answer(on: Deciding, no: number, text: string): void {
  const need = needOf(on, no, 'question')
  if (need === undefined) return
  meet(on, need, 'answered', text)
  if (on.rows.get(agents, no) === undefined) return
  on.record({ type: 'agent_woken', stream: workflowStream, data: { agent: no, by: 'question', text } })
}

export const sessionAsk = change({
  name: 'session.ask',
  summary: 'Ask the person a question; an agent that ends its turn waits for the answer.',
  command: { words: ['session ask', 'ask'], positional: ['text'] },
  reach: 'subtree',
  input: {
    text: prose('The question.'),
    actions: optional(list('Answers to choose from.', line('An answer.'))),
  },
  needs: (_asked, _rows, { no }) => [...agentRefs(no), ...needRefs(needAbout(no, 'question'))],
  decide({ text, actions }, on) {
    const session = on.session as SessionRow
    const about = needAbout(session.no, 'question')
    const refusal = mayWrite(on) ?? refuseMany(actions) ?? refuseSecond(on, about)
    if (refusal) return refusal
    const asked = { kind: 'question', session: session.no, text, about } as const
    const need = raiseNeed(on, { ...asked, ...(actions !== undefined && { actions }) })
    if (on.rows.get(agents, session.no) !== undefined && !hasEnded(session.status)) {
      on.record({ type: 'agent_asked', stream: workflowStream, data: { agent: session.no, need } })
    }
    return { need, session_id: session.id, seq: on.rows.head()?.seq ?? 0 }
  },
})

/** A person looks at them and picks one. */
const actionsMax = 20

function refuseMany(actions: readonly string[] | undefined): Refusal | undefined {
  if ((actions?.length ?? 0) <= actionsMax) return undefined
  return refuse('invalid_input', `There are more than ${actionsMax} answers to choose from.`, 'Give fewer.', {
    path: 'actions',
  })
}

function refuseSecond(on: Deciding, about: string): Refusal | undefined {
  const open = openNeed(on.rows, about)
  if (open === undefined) return undefined
  const message = `A question of this session is open: ${JSON.stringify(open.text.slice(0, 200))}.`
  return refuse('already_exists', message, 'Wait for the answer to it.', { need: open.need })
}
