import { isoTime } from '../../domain/log/identity.ts'
import { integer, jsonObject, optional } from '../../domain/log/input-schema.ts'
import { checkKindsIn } from '../../domain/state/crdt/kind.ts'
import { checkDocument, checkDocumentVersion, documentRefs } from '../../domain/state/document/document.ts'
import { stateStream } from '../../domain/state/facts.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'
import { stateRefs } from './mutating.ts'

export const stateReplace = change({
  name: 'state.replace',
  summary: 'Replace the whole document; keys that are not in the new one are deleted.',
  command: {
    words: ['state replace'],
    positional: ['state'],
    examples: ['cairn state replace @state.json --version 4'],
  },
  input: {
    state: jsonObject('The new document.'),
    version: optional(integer('Only if the document is at this version.')),
  },
  settles: ({ version }) => version !== undefined,
  needs: (_input, rows) => [...stateRefs, ...documentRefs(rows)],
  decide(input, on) {
    const refusal =
      mayWrite(on) ??
      checkDocument(input.state, on) ??
      checkDocumentVersion(on, input.version) ??
      checkKindsIn(on.rows, input.state)
    if (refusal) return refusal
    const event = on.record({ type: 'full_replace', stream: stateStream, data: { payload: input.state } })
    const updated = isoTime(event.at)
    return {
      root_session_id: on.rows.id,
      state: input.state,
      version: event.version,
      updated_at: updated,
      seq: event.seq,
    }
  },
})
