import { alsoCalled, json, jsonObject, list, text } from '../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import type { JsonObject } from '../../json/value.ts'
import { upkeep } from '../operation.ts'

function checkRootId(value: string) {
  if (/^sess_[0-9a-f]{32}$/.test(value)) return undefined
  return refuse('invalid_input', `${JSON.stringify(value)} is not the id of a root.`, 'Give the whole id: sess_…', {
    path: 'root',
  })
}

const header = jsonObject('One event.')
const member = json('A member of its body.')

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value stands two levels further in than where it was written: each member of a body is held to its own depth. */
const event: typeof header = {
  ...header,
  check(value, path, limits) {
    if (!isObject(value) || !isObject(value.data)) return header.check(value, path, limits)
    const names = Object.keys(value.data)
    const body = Object.fromEntries(names.map((name) => [name, null]))
    const checked = header.check({ ...value, data: body }, path, limits)
    if (checked instanceof Refusal) return checked
    for (const name of names) {
      const kept = member.check(value.data[name], `${path}.data.${name}`, limits)
      if (kept instanceof Refusal) return kept
      ;(checked.data as JsonObject)[name] = kept
    }
    return checked
  },
}

/** The way in for what was written elsewhere: imports and folders of a clone build on it. No command offers it by itself. */
export const logAdopt = upkeep({
  name: 'log.adopt',
  summary: 'Adopt events of another store unchanged: as a new root, more of a known one, or a fork of it.',
  command: { words: [] },
  input: {
    root: alsoCalled(
      'root_session_id',
      text('The id of the root that the events are of.', { max: 64, check: checkRootId }),
    ),
    events: list('Events as the log shows them, without a gap.', event),
  },
  run: (input, tools) => tools.adopt(input.root, input.events),
})
