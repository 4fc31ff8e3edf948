import { type Refusal, type RefusalCode, refuse } from '../../../domain/log/refusal.ts'
import { type HintWords, inWordsOf } from '../../../operations/hint-words.ts'
import type { Revision } from '../protocol/revisions.ts'
import { tools } from '../tools/index.ts'
import { toolName } from '../tools/tool.ts'

/** What a tool answered, as a client shows it to a model: the same as text and, where that is known, as values. */
export function toolResult(answer: object, { structured }: Revision): object {
  return { content: [text(answer)], ...(structured ? { structuredContent: answer } : {}) }
}

/** A refusal is an answer too: the model reads it, and can do better. */
export function toolRefusal(refusal: Refusal, revision: Revision): object {
  return { ...toolResult(forModels(refusal).toJSON(), revision), isError: true }
}

function text(answer: object): object {
  return { type: 'text', text: JSON.stringify(answer) }
}

const toolNames = new Set(tools.orchestrator.map(({ name }) => name))

/** How an agent says what a hint names: a tool has the name of its operation, and `state_get` is that of two. */
const toolHints: HintWords = {
  operation(name) {
    const tool = name === 'state.all' ? 'state_get' : toolName({ name })
    return toolNames.has(tool) ? tool : undefined
  },
  given: (name, value) => (name === 'session' ? `session_id${value === undefined ? '' : `: ${value}`}` : undefined),
}

/** Where a model can do something else than what the usual hint says: which session is meant was settled when it was started. */
const hints: Partial<Record<RefusalCode, string>> = {
  no_session:
    'Pass session_id. Without it AGENT_SESSION_ID, AGENT_SESSION_NAME or AGENT_ROOT_SESSION_ID must be set where this server is started.',
  session_not_found: 'Leave out session_id to mean your own session, or give a whole id.',
  ambiguous_id: 'Pass one of the candidates as session_id.',
  session_ended: 'Nothing can be written in its name any more. Pass the session_id of one that is open, or stop here.',
}

export function forModels(refusal: Refusal): Refusal {
  // What names the folder was said by the server of its agent, in the words of tools.
  const hint = 'project' in refusal.details ? undefined : hints[refusal.code]
  return inWordsOf(
    toolHints,
    hint === undefined ? refusal : refuse(refusal.code, refusal.message, hint, refusal.details),
  )
}
