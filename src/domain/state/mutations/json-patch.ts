import { type PatchOperation, readJsonPatch } from '../../../json/patch-operation.ts'
import { byteLength, type Json } from '../../../json/value.ts'
import type { Deciding } from '../../log/deciding.ts'
import { Refusal, refuse } from '../../log/refusal.ts'
import { admit } from '../admission.ts'
import { jsonPatched, type Patched } from '../document/patched.ts'
import { checkExpected, type Expectation } from '../expected.ts'
import { stateStream } from '../facts.ts'
import { keyRefs, liveKey, presentValue } from '../key.ts'
import { type KeyAnswer, keyAnswer, keyNotFound, type Mutation } from '../mutation.ts'

/** RFC 6902 on the value under a key; a key that is not there can only be added whole. */
export const jsonPatch: Mutation<Expectation & { operations: Json[] }, KeyAnswer> = {
  refs: ({ key }, rows) => keyRefs(rows, key, 'value'),
  decide(asked, on) {
    const { key } = asked
    const operations = readJsonPatch(asked.operations)
    if (operations instanceof Refusal) return operations
    const made = refuseCount(operations.length, on) ?? checkExpected(on.rows, asked) ?? patchedBy(operations, key, on)
    if (made instanceof Refusal) return made
    const full = admit(on, key, byteLength(made.text), () => made.value)
    if (full) return full
    on.record({ type: 'json_patch', stream: stateStream, key, data: { operations } })
    return keyAnswer(on.rows, key, made.value)
  },
}

function refuseCount(count: number, { limits }: Deciding): Refusal | undefined {
  if (count <= limits.batch) return undefined
  const message = `This patch has ${count} operations; the limit batch is ${limits.batch}.`
  const hint = 'Send several smaller patches, or set the whole value.'
  return refuse('invalid_input', message, hint, { limit: 'batch', limit_value: limits.batch })
}

function patchedBy(operations: readonly PatchOperation[], key: string, on: Deciding): Patched | Refusal {
  const row = liveKey(on.rows, key)
  const [first] = operations
  if (row === undefined && !(first?.op === 'add' && first.path === '')) return keyNotFound(key)
  const limits = { copiedMax: on.limits.valueBytes, levels: on.limits.depth }
  const made = jsonPatched(on.rows, key, operations, limits) as Patched | Refusal
  if (!(made instanceof Refusal)) return made
  const { code, message, hint, details } = made
  if (code !== 'version_conflict' || row === undefined) return refuse(code, message, hint, { ...details, key })
  const current = { current_version: row.version, current_value: presentValue(on.rows, row) ?? null }
  return refuse(code, message, hint, { ...details, key, ...current })
}
