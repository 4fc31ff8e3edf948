import { pointerText } from '../pointer.ts'
import type { Path } from '../refusals.ts'
import type { Json, JsonObject } from '../value.ts'
import type { Compiling } from './compile.ts'

/** What in a value breaks a schema, and which rule of the schema it breaks. */
export interface Fault {
  readonly path: Path
  readonly what: string
  /** JSON Pointer into the schema. */
  readonly rule: string
}

/** One value being checked. */
export interface Run {
  readonly path: (string | number)[]
  /** How much was done so far: a small schema can ask for work without end. */
  steps: number
}

export type Check = (value: Json, run: Run) => Fault | undefined

/** One keyword of a schema with what is given for it. */
export class Clause {
  readonly given: Json
  /** The schema it stands in, for keywords that look at their neighbours. */
  readonly schema: JsonObject
  readonly path: Path
  readonly compiling: Compiling

  constructor(schema: JsonObject, path: Path, compiling: Compiling) {
    this.given = schema[path.at(-1) as string] as Json
    this.schema = schema
    this.path = path
    this.compiling = compiling
  }

  fault(run: Run, what: string): Fault {
    return { path: [...run.path], what, rule: pointerOf(this.path) }
  }

  /** Says that what is given is not what this keyword takes. */
  wrong(what: string): undefined {
    this.compiling.wrong(this.path, what)
  }

  /** The check of a schema below this clause, for parts of the value. */
  part(schema: Json, ...steps: Path): Check {
    return this.compiling.schema(schema, [...this.path, ...steps])
  }

  /** The same for a schema that is applied to the very value this one is applied to. */
  same(schema: Json, ...steps: Path): Check {
    const path = [...this.path, ...steps]
    this.compiling.applies(this.path.slice(0, -1), path)
    return this.compiling.schema(schema, path)
  }
}

export function pointerOf(path: Path): string {
  return `#${pointerText(path.map(String))}`
}

/** Checks one item or member. */
export function below(check: Check, value: Json, step: string | number, run: Run): Fault | undefined {
  run.path.push(step)
  const fault = check(value, run)
  run.path.pop()
  return fault
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parts of a schema applied to parts of a value; beyond so many the check would hold up all writers of the root. */
export const stepsMax = 1_500_000
