// The state as one would write it on a napkin: whole values in a map and a copy of everything at every version.
import type { Json } from '../../src/index.ts'
import { isObject, mergeInto } from '../model/merge.ts'
import { naiveJsonPatch } from './naive-json-patch.ts'

type JsonObject = { [key: string]: Json }

export type Step =
  | { op: 'set'; key: string; value: Json; if_match?: number }
  | { op: 'delete'; key: string }
  | { op: 'increment'; key: string; delta: number }
  | { op: 'append'; key: string; items: Json[] }
  | { op: 'merge'; key: string; patch: JsonObject }
  | { op: 'json_patch'; key: string; operations: Json[] }

interface Entry {
  value: Json | undefined
  version: number
}

export class NaiveState {
  #keys = new Map<string, Entry>()
  /** What could be read at each version, as JSON text; version 0 is before any change. */
  readonly points: string[] = ['{}']

  get version(): number {
    return this.points.length - 1
  }

  live(key: string): Json | undefined {
    return this.#keys.get(key)?.value
  }

  versionOf(key: string): number {
    return this.#keys.get(key)?.version ?? 0
  }

  document(): JsonObject {
    const live = [...this.#keys].filter(([, { value }]) => value !== undefined)
    return Object.fromEntries(live.map(([key, { value }]) => [key, value as Json]))
  }

  /** All steps or none; the code of the first refusal, if any. */
  apply(steps: readonly Step[]): string | undefined {
    const before = new Map(this.#keys)
    const points = this.points.length
    for (const step of steps) {
      const refusal = this.#step(step)
      if (refusal === undefined) continue
      this.#keys = before
      this.points.length = points
      return refusal
    }
    return undefined
  }

  replace(state: JsonObject): void {
    for (const key of Object.keys(this.document())) if (!(key in state)) this.#put(key, undefined)
    for (const [key, value] of Object.entries(state)) {
      if (JSON.stringify(this.live(key)) !== JSON.stringify(value)) this.#put(key, value)
    }
    this.#remember()
  }

  #step(step: Step): string | undefined {
    const old = this.live(step.key)
    const next = nextOf(step, old, this.versionOf(step.key))
    if (typeof next === 'object' && next.refused !== undefined) return next.refused
    this.#put(step.key, next.value)
    this.#remember()
    return undefined
  }

  #put(key: string, value: Json | undefined): void {
    this.#keys.set(key, { value, version: this.versionOf(key) + 1 })
  }

  #remember(): void {
    const live = [...this.#keys].filter(([, { value }]) => value !== undefined)
    this.points.push(JSON.stringify(Object.fromEntries(live)))
  }
}

function nextOf(step: Step, old: Json | undefined, version: number): { value?: Json; refused?: string } {
  switch (step.op) {
    case 'set':
      return step.if_match === undefined || step.if_match === version ? step : { refused: 'version_conflict' }
    case 'delete':
      return old === undefined ? { refused: 'key_not_found' } : {}
    case 'increment':
      return old === undefined || typeof old === 'number'
        ? { value: (old ?? 0) + step.delta }
        : { refused: 'wrong_type' }
    case 'append':
      return old === undefined || Array.isArray(old)
        ? { value: [...(old ?? []), ...step.items] }
        : { refused: 'wrong_type' }
    case 'merge':
      return old === undefined || isObject(old) ? merged(old ?? {}, step.patch) : { refused: 'wrong_type' }
    case 'json_patch':
      return old === undefined ? { refused: 'key_not_found' } : patched(old, step.operations)
  }
}

function merged(old: Json, patch: JsonObject): { value: Json } | { refused: string } {
  const made = mergeInto(old, patch)
  return 'refusal' in made ? { refused: String(made.refusal.refused) } : made
}

function patched(old: Json, operations: Json[]): { value: Json } | { refused: string } {
  const made = naiveJsonPatch(old, operations)
  return 'code' in made ? { refused: made.code } : made
}
