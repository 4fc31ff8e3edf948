import { isoTime } from '../../domain/log/identity.ts'
import { jsonObject, optional } from '../../domain/log/input-schema.ts'
import { refuse } from '../../domain/log/refusal.ts'
import { streams } from '../../domain/log/tables.ts'
import { checkDocument } from '../../domain/state/document/document.ts'
import { stateStream } from '../../domain/state/facts.ts'
import type { JsonObject } from '../../json/value.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'
import { stateRefs } from './mutating.ts'

export const stateInit = change({
  name: 'state.init',
  summary: 'Start the shared state with a document; refused if state already exists.',
  command: {
    words: ['state init'],
    positional: ['initial_state'],
    examples: [`cairn state init '{"done": 0, "findings": []}'`],
  },
  input: { initial_state: optional(jsonObject('The first document; default {}.')) },
  needs: () => [...stateRefs],
  decide(input, on) {
    const payload: JsonObject = input.initial_state ?? {}
    const refusal = mayWrite(on) ?? checkDocument(payload, on)
    if (refusal) return refusal
    const stream = on.rows.get(streams, stateStream)
    if (stream !== undefined) {
      return refuse(
        'already_exists',
        'This root already has state.',
        'Change it with `state.replace` or `state.set`.',
        {
          current_version: stream.version,
        },
      )
    }
    const event = on.record({ type: 'init', stream: stateStream, data: { payload } })
    const created = isoTime(event.at)
    return { root_session_id: on.rows.id, state: payload, version: event.version, created_at: created, seq: event.seq }
  },
})
