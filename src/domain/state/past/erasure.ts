import type { Json } from '../../../json/value.ts'
import type { Erasure } from '../../log/part.ts'
import { type Asking, ask } from '../../log/questions.ts'
import { aboutState } from '../questions.ts'
import { stateVersions } from '../tables.ts'

/** Every event and version that holds a value of a key: its own, and whole documents that it was part of. */
export function* erasureOf(root: number, key: string): Asking<Erasure> {
  const logged = yield* ask(aboutState.log_with_key, root, key)
  const versions = yield* ask(aboutState.versions_of_key, root, key, Number.MAX_SAFE_INTEGER)
  return {
    events: logged.filter((row) => row.key === key || hasMember(row.data, key)),
    // The tombstone stays: a version of a key never comes twice.
    rows: [{ table: stateVersions, rows: versions.filter(({ kind }) => kind !== 'gone') }],
  }
}

function hasMember(data: string | null, key: string): boolean {
  const { payload = {} } = JSON.parse(data ?? '{}') as { payload?: { [key: string]: Json } }
  return Object.hasOwn(payload, key)
}
