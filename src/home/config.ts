import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { integer, object, optional, type Shape, text } from '../domain/log/input-schema.ts'
import { defaultLimits, type Limits } from '../domain/log/limits.ts'
import { Refusal, refuse } from '../domain/log/refusal.ts'
import { readJson } from '../json/value.ts'

/** What can be set in `config.json` of the data folder. */
const settings = object({
  store: optional(text('A Postgres URL; the SQLite file of this folder unless given.')),
  limits: optional(
    object({
      valueBytes: optional(integer('Bytes of one value.', { min: 1 })),
      keys: optional(integer('Keys of one root.', { min: 1 })),
      stateBytes: optional(integer('Bytes of all values of one root.', { min: 1 })),
      batch: optional(integer('Operations of one batch.', { min: 1 })),
      batchBytes: optional(integer('Bytes that one batch writes.', { min: 1 })),
      treeDepth: optional(integer('Depth of a tree of sessions.', { min: 1 })),
      sessions: optional(integer('Sessions of one root.', { min: 1 })),
      waits: optional(integer('Open waits for keys of one root.', { min: 1 })),
      blobBytes: optional(integer('Bytes of one blob.', { min: 1 })),
    }),
  ),
})

export interface Config {
  readonly home: string
  /** `sqlite:PATH` or a Postgres URL. */
  readonly store: string
  readonly limits: Limits
}

export interface ConfigOptions {
  readonly home?: string | undefined
  readonly store?: string | undefined
  readonly limits?: Partial<Limits> | undefined
}

/** Options first, then `config.json`, then what is usual. */
export function loadConfig(options: ConfigOptions): Config | Refusal {
  const home = options.home ?? (process.env.CAIRN_HOME || join(homedir(), '.cairn'))
  const file = readSettings(join(home, 'config.json'))
  if (file instanceof Refusal) return file
  const store = options.store ?? file.store ?? `sqlite:${join(home, 'cairn.db')}`
  return { home, store, limits: { ...defaultLimits, ...file.limits, ...options.limits } }
}

type Settings = Shape<typeof settings extends { members: infer M } ? M : never> & {
  store?: string
  limits?: Partial<Limits>
}

function readSettings(path: string): Settings | Refusal {
  let written: string
  try {
    written = readFileSync(path, 'utf8')
  } catch (error) {
    // A home that cannot be there is told of by whoever makes the store in it.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return {}
    return refuse('storage_error', `${path} cannot be read.`, 'Check who owns it, or remove it.')
  }
  const read = readJson(written)
  const checked = read instanceof Refusal ? read : settings.check(read, '')
  if (!(checked instanceof Refusal)) return checked as Settings
  return refuse('invalid_input', `${path}: ${checked.message}`, checked.hint)
}
