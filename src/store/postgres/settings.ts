import { refuse } from '../../domain/log/refusal.ts'

/** Older servers were never tried. */
const oldestMajor = 13

export const settings = `SELECT current_setting('server_version_num') AS version, current_setting('fsync') AS fsync,
  current_setting('synchronous_commit') AS commit, current_setting('server_encoding') AS encoding,
  (SELECT max(format) FROM cairn_format) AS format`

export interface Settings {
  readonly version: string
  readonly fsync: string
  readonly commit: string
  readonly encoding: string
  readonly format: number
}

export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

export function checksOf({ version, fsync, commit, encoding, format }: Settings, newest: number): Check[] {
  const major = Math.floor(Number(version) / 10_000)
  return [
    { name: 'server', ok: major >= oldestMajor, detail: `PostgreSQL ${major}` },
    {
      name: 'settings',
      ok: fsync === 'on' && commit !== 'off',
      detail: `fsync ${fsync}, synchronous_commit ${commit}`,
    },
    { name: 'encoding', ok: encoding === 'UTF8', detail: encoding },
    { name: 'format', ok: format === newest, detail: `${format}` },
  ]
}

/** A server that answers before it has written cannot keep the promise of an answered write. */
export function refuseUnsafe(found: Settings, newest: number): void {
  const wrong = checksOf(found, newest).find((check) => !check.ok)
  if (wrong === undefined) return
  const hint = `It needs PostgreSQL ${oldestMajor} or newer, UTF8, fsync on and synchronous_commit on.`
  throw refuse('storage_error', `This Postgres does not meet the requirements of a store: ${wrong.detail}.`, hint)
}
