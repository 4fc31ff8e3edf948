import { optional, type Schema } from '../../domain/log/input-schema.ts'
import { defaultLimits } from '../../domain/log/limits.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { streams } from '../../domain/log/tables.ts'
import { stateStream } from '../../domain/state/facts.ts'
import { checkKey } from '../../domain/state/key-name.ts'
import { type Restoration, restore, restoreRefs } from '../../domain/state/past/restore.ts'
import { type Json, readJson } from '../../json/value.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'
import { type Meant, point, pointMeant } from '../point.ts'
import { stateRefs } from './mutating.ts'

/** Names of keys, as a list or, on a command line, with commas between them; a name with a comma goes into a JSON list. */
const keys: Schema<string[]> = {
  kind: 'text',
  json: { type: 'array', items: { type: 'string' }, description: 'Only these keys: a,b or a JSON list.' },
  about: 'Only these keys: a,b or a JSON list.',
  check(value, path, { keyBytes } = defaultLimits) {
    const read = typeof value === 'string' ? namesIn(value) : value
    if (read instanceof Refusal) return read
    if (!Array.isArray(read) || read.length === 0 || !read.every((each) => typeof each === 'string')) {
      return refuse('invalid_input', `${path} must be names of keys.`, `Give ${path} as a,b or as a list.`, { path })
    }
    const names = read as string[]
    return names.map((name) => checkKey(name, keyBytes)).find((each) => each !== undefined) ?? [...new Set(names)]
  },
}

function namesIn(text: string): Json | Refusal {
  return text.startsWith('[') ? readJson(text) : text.split(',')
}

function restoration(input: { to: Meant; keys?: string[] }): Restoration {
  return { point: pointMeant(input.to), keys: input.keys }
}

export const stateRestore = change({
  name: 'state.restore',
  summary: 'Restore keys, or the whole state, to an earlier point.',
  command: {
    words: ['state restore'],
    positional: ['to'],
    topic: 'Go back',
    examples: ['cairn state restore 40', 'cairn state restore 40 --keys done,findings'],
  },
  input: { to: point('The point: a sequence number or a time.'), keys: optional(keys) },
  needs: (input, rows) => [...stateRefs, ...restoreRefs(restoration(input), rows)],
  decide(input, on) {
    const done = mayWrite(on) ?? restore(restoration(input), on)
    if (done instanceof Refusal) return done
    const version = on.rows.get(streams, stateStream)?.version ?? 0
    return { to: done.place, changed: done.changed, version, seq: on.rows.head()?.seq ?? 0 }
  },
})
