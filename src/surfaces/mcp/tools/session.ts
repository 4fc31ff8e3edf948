import type { Answer } from '../../../domain/log/rows.ts'
import type { Json } from '../../../json/value.ts'
import { operations } from '../../../operations/index.ts'
import { describedTool, inputOf, sessionMeant, type Tool } from './tool.ts'

const { session, state } = operations

export const sessionStatus: Tool = describedTool({
  name: 'session_status',
  description:
    'Who you are: your session, its place in the tree, its status, its task, and a summary of the shared state.',
  takes: sessionMeant,
  annotations: { readOnlyHint: true },
  async run(given, perform) {
    const own = await perform(session.show, inputOf(given))
    const { summary } = await perform(state.summary, { session: own.root_session_id })
    return { ...withoutBlanks(own), state_summary: summary as Json }
  },
})

/** What nobody said about a session needs no place in a context. */
function withoutBlanks(answer: Answer): Answer {
  const isBlank = (value: Json) => value === null || JSON.stringify(value) === '{}'
  const said = Object.entries(answer).filter(([name, value]) => name === 'parent_session_id' || !isBlank(value))
  return Object.fromEntries(said)
}
