import { readDuration } from '../../domain/log/duration.ts'
import { flag, optional, text } from '../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import { key } from '../inputs.ts'
import { type Change, upkeep, upkeepOfRoot } from '../operation.ts'
import { deletionToErase } from '../state/mutations/delete.ts'
import type { Tools } from './maintenance-port.ts'

const file = text('Path of the backup file.', { max: 4096 })

export const doctor = upkeep({
  name: 'store.doctor',
  summary: 'Check the store, its settings and the modes of its files; a repair fixes what can be fixed.',
  command: { words: ['doctor'], topic: 'Maintain the store' },
  input: {
    repair: optional(flag('Rebuild views that differ from the log, and make files private that others can read.')),
  },
  async run(input, tools) {
    const checks = await tools.examine(input.repair ?? false)
    return { ok: checks.every((check) => check.ok), checks }
  },
})

export const backup = upkeep({
  name: 'store.backup',
  summary: 'Write a consistent copy of the store to a file while others keep writing.',
  command: { words: ['backup'], positional: ['file'], topic: 'Maintain the store' },
  input: { file },
  async run(input, tools) {
    return { file: input.file, ...(await tools.backup(input.file)) }
  },
})

export const restore = upkeep({
  name: 'store.restore',
  summary: 'Fill an empty store from a backup.',
  command: { words: ['restore'], positional: ['file'], topic: 'Maintain the store' },
  input: { file },
  async run(input, tools) {
    return { file: input.file, ...(await tools.restore(input.file)) }
  },
})

export const gc = upkeep({
  name: 'store.gc',
  summary: 'Remove old request ids and messages rewound long ago, and free unused space.',
  command: { words: ['gc'], topic: 'Maintain the store' },
  input: {
    hidden_older_than: optional(
      text('How long messages must have been hidden to be removed; default 30d.', { max: 32 }),
    ),
  },
  async run(input, tools) {
    const age = readDuration(input.hidden_older_than ?? '30d')
    if (age instanceof Refusal) return age
    return { lapsed: await tools.lapse(), ...(await tools.collect(age)) }
  },
})

export const compact = upkeepOfRoot({
  name: 'store.compact',
  summary: 'Remove the old history of a state; the current state and recent history stay.',
  command: { words: ['compact'], positional: ['session'] },
  input: { older_than: optional(text('How old; default 30d.', { max: 32 })) },
  async run(input, tools, place) {
    const { root } = place
    const age = readDuration(input.older_than ?? '30d')
    if (age instanceof Refusal) return age
    return { root_session_id: place.rootId, ...(await tools.compact(root, age)) }
  },
})

/** Asked twice: the first time says what is meant and what to say to have it done. */
async function confirmed(
  tools: Tools,
  root: number,
  said: string | undefined,
  what: string,
): Promise<Refusal | undefined> {
  const slug = await tools.slugOf(root)
  if (said === slug) return undefined
  const message = `This would ${what} in ${slug}, and cannot be undone.`
  return refuse('precondition_required', message, `To confirm, ask again with \`confirm: ${slug}\`.`, {
    confirm: slug,
  })
}

const confirm = optional(text('The slug of the root, to confirm.', { max: 512 }))

/** Copies that no store knows of. */
const beyondReach = ['backups', 'copies of the data folder', 'what agents and people have read and written elsewhere']

export const erase = upkeepOfRoot({
  name: 'store.erase',
  summary: 'Remove everything ever stored under a key; the log keeps only that it existed.',
  command: { words: ['erase'], positional: ['key'] },
  input: { key, confirm },
  async run(input, tools, { root, rootId }) {
    const refusal = await confirmed(tools, root, input.confirm, `erase every value of ${JSON.stringify(input.key)}`)
    if (refusal) return refusal
    await tools.change(deletionToErase as Change<object, Answer>, { session: rootId, key: input.key })
    const done = await tools.erase(root, input.key)
    return { key: input.key, ...done, beyond_reach: [...done.beyond_reach, ...beyondReach] }
  },
})

export const remove = upkeepOfRoot({
  name: 'store.remove',
  summary: 'Remove a root and everything below it.',
  command: { words: ['rm'], positional: ['session'], topic: 'Maintain the store' },
  input: { confirm, force: optional(flag('Remove it even if it has not ended.')) },
  async run(input, tools, place) {
    const { root } = place
    const shared = await tools.sharedOf(root)
    const what = `remove all sessions, all state and the whole log${shared === undefined ? '' : `, but not ${shared},`}`
    const refusal = await confirmed(tools, root, input.confirm, what)
    if (refusal) return refusal
    const done = await tools.remove(root, input.force ?? false)
    if (done instanceof Refusal) return done
    return { root_session_id: place.rootId, ...done, beyond_reach: [...done.beyond_reach, ...beyondReach] }
  },
})
