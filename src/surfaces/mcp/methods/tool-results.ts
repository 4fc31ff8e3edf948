import { type Refusal, type RefusalCode, refuse } from '../../../domain/log/refusal.ts'
import type { Revision } from '../protocol/revisions.ts'

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

/** What to do next in the words of the tools, where the usual hint names commands. */
const hints: Partial<Record<RefusalCode, string>> = {
  key_not_found: 'List the keys with state_get without key, or create it with state_set.',
  state_not_found: 'The first write makes it: state_set, state_increment or state_append.',
  no_session:
    'Pass session_id. Without it AGENT_SESSION_ID, AGENT_SESSION_NAME or AGENT_ROOT_SESSION_ID must be set where this server is started.',
  session_not_found: 'Leave out session_id to mean your own session, or give a whole id.',
  ambiguous_id: 'Pass one of the candidates as session_id.',
  session_ended: 'Nothing can be written in its name any more. Pass the session_id of one that is open, or stop here.',
}

export function forModels(refusal: Refusal): Refusal {
  // What names the folder was said by the server of its agent, in the words of tools.
  const hint = 'project' in refusal.details ? undefined : hints[refusal.code]
  return hint === undefined ? refusal : refuse(refusal.code, refusal.message, hint, refusal.details)
}
