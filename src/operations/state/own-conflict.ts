import { type Refusal, type RefusalCode, refuse } from '../../domain/log/refusal.ts'
import type { Rows } from '../../domain/log/rows.ts'
import { presentValue } from '../../domain/state/key.ts'
import { type KeyRow, stateKeys } from '../../domain/state/tables.ts'

/** What an earlier operation of a batch did to a key. */
interface Earlier {
  /** Counted from 1, as people do. */
  readonly operation: number
  /** The key as it was before the batch, and still is for everybody else. */
  readonly before: KeyRow | undefined
}

/** Refusals that tell of the key as an operation found it. */
const ofFound: ReadonlySet<RefusalCode> = new Set([
  'version_conflict',
  'already_exists',
  'key_not_found',
  'wrong_type',
  'number_out_of_range',
])

/** The keys that the operations of a batch have changed so far: a later one is decided on what nobody else ever sees. */
export class ChangedByBatch {
  readonly #rows: Rows
  readonly #earlier = new Map<string, Earlier>()

  constructor(rows: Rows) {
    this.#rows = rows
  }

  /** Remembers a key before an operation; what it returns is called when that was done. */
  about(key: string, index: number): () => void {
    const before = this.#earlier.has(key) ? this.#earlier.get(key)?.before : this.#rows.get(stateKeys, key)
    return () => this.#earlier.set(key, { operation: index + 1, before })
  }

  /** The refusal as it is told: with the version that the key has outside of the batch, and which operation changed it in it. */
  told(key: string, refusal: Refusal): Refusal {
    const earlier = this.#earlier.get(key)
    if (earlier === undefined || !ofFound.has(refusal.code)) return refusal
    const { code, details } = refusal
    const hint =
      `Operation ${earlier.operation} of this batch changes this key first. Change or leave out one of the two; ` +
      'a version needs to be checked only by the first.'
    return refuse(code, this.#saying(key, earlier, refusal), hint, {
      ...details,
      ...this.#outside(earlier, details),
    })
  }

  /** Versions that a batch makes for itself are nothing that its sender could have seen. */
  #saying(key: string, { operation }: Earlier, { code, message, details }: Refusal): string {
    const changed = `The key ${JSON.stringify(key)} is changed by operation ${operation} of this batch`
    if (code === 'version_conflict') return `${changed}, so it is not at version ${details.your_version} any more.`
    if (code === 'already_exists') return `${changed}, so it already exists.`
    return `After operation ${operation} of this batch: ${message}`
  }

  #outside({ before }: Earlier, details: Refusal['details']): Refusal['details'] {
    const version = 'current_version' in details ? { current_version: before?.version ?? 0 } : {}
    if (!('current_value' in details)) return version
    return { ...version, current_value: before === undefined ? null : (presentValue(this.#rows, before) ?? null) }
  }
}
