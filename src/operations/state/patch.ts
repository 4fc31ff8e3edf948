import type { Deciding } from '../../domain/log/deciding.ts'
import { integer, jsonObject, oneOf, optional } from '../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { checkDocumentVersion, documentVersionRefs } from '../../domain/state/document/document.ts'
import {
  documentPatchRefs,
  type KeyChange,
  keyChanges,
  makeChange,
} from '../../domain/state/document/document-patch.ts'
import { stateStream } from '../../domain/state/facts.ts'
import type { Json } from '../../json/value.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'
import { stateRefs } from './mutating.ts'

type Touched = { version: number } & ({ value: Json } | { length: number } | { deleted: true })

/** One key of the answer: what became of it, without what the rest of the answer says. */
function shownOf({ value = null, length, deleted, version }: Answer): Touched {
  const common = { version: Number(version) }
  if (deleted === true) return { ...common, deleted }
  return length === undefined ? { ...common, value } : { ...common, length: Number(length) }
}

function checkCount({ length: count }: readonly KeyChange[], { limits }: Deciding): Refusal | undefined {
  if (count <= limits.batch) return undefined
  const message = `This patch changes ${count} keys; the limit batch is ${limits.batch}.`
  const hint = 'Send several smaller patches, or replace the whole document.'
  return refuse('invalid_input', message, hint, { limit: 'batch', limit_value: limits.batch })
}

/** All changes or, with the first that is refused, none. */
function makeAll(changes: readonly KeyChange[], on: Deciding): { [key: string]: Touched } | Refusal {
  const keys: { [key: string]: Touched } = {}
  for (const each of changes) {
    const done = makeChange(each, on)
    if (done instanceof Refusal) return done
    keys[each.asked.key] = shownOf(done)
  }
  return keys
}

/**
 * One event for each key that the patch touches, in the order in which it names them. The answer has the version of the
 * document after them, and each of these keys with its version and its value, its length when items were appended, or
 * that it was deleted.
 */
export const statePatch = change({
  name: 'state.patch',
  summary: 'Merge a patch into the document, all or nothing; returns the changed keys.',
  command: {
    words: ['state patch'],
    positional: ['patch'],
    examples: [
      `cairn state patch '{"counters.processed": {"$increment": 1}, "findings": {"$append": ["slow lexer"]}, "old": null}'`,
      `cairn state patch '{"config": {"retries": 3}}' --strategy shallow --version 4`,
    ],
  },
  input: {
    patch: jsonObject(
      'What changes: null removes, "a.b" is a path, $append, $increment, $set and $delete are operators.',
    ),
    strategy: optional(oneOf('deep (default) merges objects; shallow replaces them.', ['deep', 'shallow'])),
    version: optional(integer('Only if the document is at this version.')),
  },
  // The answer has the version of the whole document, whatever of it the patch touches.
  settles: () => true,
  needs: ({ patch, strategy = 'deep', version }, rows) => [
    ...stateRefs,
    ...documentVersionRefs(rows, version),
    ...documentPatchRefs(rows, patch, strategy),
  ],
  decide({ patch, strategy = 'deep', version }, on) {
    const refusal = mayWrite(on) ?? checkDocumentVersion(on, version)
    if (refusal) return refusal
    const changes = keyChanges(on.rows, patch, strategy, on.limits)
    if (changes instanceof Refusal) return changes
    const keys = checkCount(changes, on) ?? makeAll(changes, on)
    if (keys instanceof Refusal) return keys
    const now = on.rows.get(streams, stateStream)?.version ?? 0
    return { root_session_id: on.rows.id, version: now, seq: on.rows.head()?.seq ?? 0, keys }
  },
})
