import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { flag, integer, type Optional, object, optional, text } from '../domain/log/input-schema.ts'
import { defaultLimits, type Limits, limitNames, limitTable } from '../domain/log/limits.ts'
import { Refusal, refuse } from '../domain/log/refusal.ts'
import { readJson } from '../json/value.ts'

const limitSchemas = Object.fromEntries(
  limitNames.map((name) => {
    const { min, max, about } = limitTable[name]
    return [name, optional(integer(about, { min, max }))]
  }),
) as unknown as { readonly [Name in keyof Limits]: Optional<number> }

/** What can be set in `config.json` of the data folder. */
const settings = object({
  store: optional(text('A Postgres URL; the SQLite file of this folder unless given.')),
  limits: optional(object(limitSchemas)),
  dashboardEdits: optional(flag('Whether values can be edited in the dashboard.')),
})

/** The variable of the environment that sets a limit: `keyBytes` is `CAIRN_LIMIT_KEY_BYTES`. */
export function limitVariable(name: keyof Limits): string {
  return `CAIRN_LIMIT_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
}

export interface Config {
  readonly home: string
  /** `sqlite:PATH` or a Postgres URL. */
  readonly store: string
  readonly limits: Limits
  /** Whether values can be edited in the dashboard. */
  readonly dashboardEdits: boolean
}

export interface ConfigOptions {
  readonly home?: string | undefined
  readonly store?: string | undefined
  readonly limits?: Partial<Limits> | undefined
}

/** Options first, then the environment, then `config.json`, then what is usual. */
export function loadConfig(options: ConfigOptions): Config | Refusal {
  const home = options.home ?? (process.env.CAIRN_HOME || join(homedir(), '.cairn'))
  const file = readSettings(join(home, 'config.json'))
  if (file instanceof Refusal) return file
  const set = limitsSet()
  if (set instanceof Refusal) return set
  const given = limitsGiven(options.limits ?? {})
  if (given instanceof Refusal) return given
  const store = options.store ?? file.store ?? `sqlite:${join(home, 'cairn.db')}`
  const limits = { ...defaultLimits, ...file.limits, ...set, ...given }
  return { home, store, limits, dashboardEdits: file.dashboardEdits ?? false }
}

interface Settings {
  readonly store?: string
  readonly limits?: Partial<Limits>
  readonly dashboardEdits?: boolean
}

/** The limits that the environment sets. */
function limitsSet(): Partial<Limits> | Refusal {
  const limits: { -readonly [Name in keyof Limits]?: number } = {}
  for (const name of limitNames) {
    const variable = limitVariable(name)
    const text = process.env[variable]
    if (!text) continue
    const limit = limitSchemas[name].check(/^\d+$/.test(text) ? Number(text) : Number.NaN, variable)
    if (limit instanceof Refusal) return limit
    limits[name] = limit
  }
  return limits
}

/** Whoever opens a store from a program may set them too, within the same bounds. */
function limitsGiven(asked: Partial<Limits>): Partial<Limits> | Refusal {
  const checked = object(limitSchemas).check(asked, 'limits')
  return checked as Partial<Limits> | Refusal
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
