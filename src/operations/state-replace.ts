import { stateStream } from '../domain/event.ts'
import { isoTime } from '../domain/identity.ts'
import { type Refusal, refuse } from '../domain/refusal.ts'
import type { Rows } from '../domain/rows.ts'
import { integer, jsonObject, optional } from '../domain/schema.ts'
import { checkDocument, documentOf, documentRefs } from '../domain/state/document.ts'
import { streams } from '../domain/tables.ts'
import { change } from './operation.ts'
import { mayWrite, stateRefs } from './writing.ts'

function checkVersion(rows: Rows, version: number | undefined): Refusal | undefined {
  const current = rows.get(streams, stateStream)?.version ?? 0
  if (version === undefined || version === current) return undefined
  const message = `The state is at version ${current}, not ${version}.`
  const hint = `Read it again, redo the change, and write with version ${current}.`
  const details = { current_version: current, your_version: version, current_state: documentOf(rows) }
  return refuse('version_conflict', message, hint, details)
}

export const stateReplace = change({
  name: 'state.replace',
  summary: 'Replace the whole document; keys that are not in the new one are deleted.',
  command: { words: ['state replace'], positional: ['state'] },
  input: {
    state: jsonObject('The new document.'),
    version: optional(integer('Only if the document is at this version.')),
  },
  needs: (_input, rows) => [...stateRefs, ...documentRefs(rows)],
  decide(input, on) {
    const refusal = mayWrite(on) ?? checkDocument(input.state, on.limits) ?? checkVersion(on.rows, input.version)
    if (refusal) return refusal
    const event = on.record({ type: 'full_replace', stream: stateStream, data: { payload: input.state } })
    const updated = isoTime(event.at)
    return {
      root_session_id: event.root,
      state: input.state,
      version: event.version,
      updated_at: updated,
      seq: event.seq,
    }
  },
})
