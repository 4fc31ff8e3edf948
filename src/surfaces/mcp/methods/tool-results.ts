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
  operation(name, given) {
    const tool = name === 'state.all' ? 'state_get' : toolName({ name })
    if (!toolNames.has(tool)) return undefined
    return given === undefined ? tool : `${tool} {"${given.name}": ${given.value}}`
  },
  given: (name, value) => (name === 'session' ? `session_id${value === undefined ? '' : `: ${value}`}` : undefined),
}

/** Where a model can do something else than what the usual hint says: which session is meant was settled when it was started. */
const hints: Partial<Record<RefusalCode, string>> = {
  no_session:
    'Pass session_id. Without it AGENT_SESSION_ID, AGENT_SESSION_NAME or AGENT_ROOT_SESSION_ID must be set where this server is started.',
  ambiguous_id: 'Pass one of the candidates as session_id.',
  looks_like_secret:
    'Keep secrets out of the state. If it is not a secret, call again with the argument allow_secret: true.',
  session_ended: 'It can no longer write. Pass the session_id of one that is open, or stop here.',
}

export function forModels(refusal: Refusal): Refusal {
  // What names the folder was said by the server of its agent, in the words of tools.
  const hint =
    'project' in refusal.details ? undefined : (hintOfNaming(refusal) ?? hintOfType(refusal) ?? hints[refusal.code])
  return inWordsOf(
    toolHints,
    hint === undefined ? refusal : refuse(refusal.code, refusal.message, hint, refusal.details),
  )
}

/** Which of the sessions that there are may have been meant. */
function hintOfNaming({ code, details }: Refusal): string | undefined {
  if (code !== 'session_not_found') return undefined
  const { candidates = [], named_by } = details as { candidates?: { session_name: string }[]; named_by?: string }
  const near = candidates.map(({ session_name: name }) => JSON.stringify(name)).join(' or ')
  const meant = near === '' ? '' : `Did you mean ${near}? `
  return named_by === undefined
    ? `${meant}Leave out session_id to use your own session, or give a full id.`
    : `${meant}The session is set where this server was started (AGENT_SESSION_ID, AGENT_SESSION_NAME) or by a header: pass the session_id of one that exists.`
}

const plainest: Readonly<Record<string, string>> = { number: '0', array: '[]', object: '{}' }

/** The call that makes room for the one that was refused, unless somebody is faster. */
function hintOfType({ code, details }: Refusal): string | undefined {
  const { key, accepts, current_version: version } = details as { [name: string]: string | number | undefined }
  const value = plainest[String(accepts)]
  if (code !== 'wrong_type' || value === undefined) return undefined
  const replacing = JSON.stringify({ key, value, version })
  return `It works on a value of the type ${accepts}, or on a key that does not exist. To replace the value: state_set ${replacing}.`
}
