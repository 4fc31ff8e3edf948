import { integer, optional } from '../../domain/log/input-schema.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { expiredUnnoticed, readVersions, showVersions } from '../../domain/state/past/history.ts'
import { resolvePoint } from '../../domain/state/past/past.ts'
import { key, limit, past } from '../inputs.ts'
import { read } from '../operation.ts'

/** As many as a screen shows. */
const pageUsual = 10

export const stateHistory = read({
  name: 'state.history',
  summary: 'List the versions of a key, newest first: what it was, who changed it and why.',
  command: {
    words: ['state history'],
    positional: ['key'],
    topic: 'Look',
    examples: ['cairn state history done', 'cairn state history done --before 40 --limit 100'],
  },
  input: { key, limit, ...past, before: optional(integer('Only versions before this one of the key.', { min: 1 })) },
  snapshot: true,
  *read(input, { root }, now) {
    const { key, before } = input
    const upTo = yield* resolvePoint(root, input)
    if (upTo instanceof Refusal) return upTo
    const page = yield* readVersions(root, { key, before, upTo, limit: input.limit ?? pageUsual })
    if (page instanceof Refusal) return page
    const versions = yield* showVersions(root, key, page)
    const end = page.compactedBefore
    const more: { compacted_before?: number } = end === undefined ? {} : { compacted_before: end }
    return {
      key,
      versions,
      has_more: page.hasMore,
      ...more,
      ...(upTo === undefined ? expiredUnnoticed(page, now) : {}),
    }
  },
})
