import { type Refusal, refuse } from '../refusal.ts'
import { type Path, pathText, shortPath } from '../refusals.ts'
import { byteLength, type Json } from '../value.ts'
import { type Applied, faultOfApplying } from './applying.ts'
import { arrayKeywords } from './arrays.ts'
import { type Check, Clause, type Fault, isObject, pointerOf, type Run, stepsMax } from './clause.ts'
import { combiningKeywords } from './combining.ts'
import { generalKeywords } from './general.ts'
import { numberKeywords } from './numbers.ts'
import { objectKeywords } from './objects.ts'
import { type Pattern, patternOf } from './pattern.ts'
import { referenceKeywords } from './references.ts'
import { textKeywords } from './strings.ts'

/** A schema is written by people and read at every write; longer ones are data in disguise. */
export const schemaBytesMax = 32 * 1024

/** Makes a check of what is given for a keyword; undefined when there is nothing to check. */
export type Keyword = (clause: Clause) => Check | undefined

const keywords: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({
    ...generalKeywords,
    ...numberKeywords,
    ...textKeywords,
    ...arrayKeywords,
    ...objectKeywords,
    ...combiningKeywords,
    ...referenceKeywords,
  }),
)

/** A schema that is one, ready to check values. */
export type Compiled = (value: Json, spent?: { steps: number }) => Fault | undefined

export function compile(document: Json): Compiled | Refusal {
  const bytes = byteLength(JSON.stringify(document))
  if (bytes > schemaBytesMax) {
    const message = `The schema has ${bytes} bytes; the limit is ${schemaBytesMax}.`
    return refuse('value_too_large', message, 'Simplify it, or split the value across several keys.', { path: '$' })
  }
  const compiling = new Compiling(document)
  const check = compiling.all()
  if (compiling.refusal) return compiling.refusal
  return (value, spent) => {
    const run: Run = { path: [], steps: 0 }
    const fault = check(value, run)
    if (spent !== undefined) spent.steps += run.steps
    if (run.steps <= stepsMax) return fault
    return { path: [], what: `takes more than ${stepsMax} steps to check`, rule: '#' }
  }
}

/** One schema document on its way to a check. */
export class Compiling {
  readonly document: Json
  refusal: Refusal | undefined
  readonly #checks = new Map<string, Check>()
  readonly #waiting: (() => void)[] = []
  readonly #applied: Applied = new Map()
  readonly #patterns = new Map<string, Pattern>()

  constructor(document: Json) {
    this.document = document
  }

  all(): Check {
    const check = this.schema(this.document, [])
    // Not by recursion: references form chains as long as the schema.
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) next()
    const fault = this.refusal ? undefined : faultOfApplying(this.#applied)
    if (fault !== undefined) this.wrong(fault.path, fault.what)
    return check
  }

  wrong(path: Path, what: string): void {
    const message = `Invalid schema: ${shortPath(pathText(path))} ${what}.`
    const hint = 'Write it as JSON Schema 2020-12, without references to other documents.'
    this.refusal ??= refuse('invalid_input', message, hint, { path: pathText(path), rule: pointerOf(path) })
  }

  /** The check of the schema at a place of the document. It can be had before it is made, so that schemas may recur. */
  schema(schema: Json, path: Path): Check {
    const pointer = pointerOf(path)
    const known = this.#checks.get(pointer)
    if (known !== undefined) return known
    let clauses: Check[] = []
    const check: Check = (value, run) => {
      if (++run.steps > stepsMax) return undefined
      for (const clause of clauses) {
        const fault = clause(value, run)
        if (fault !== undefined) return fault
      }
      return undefined
    }
    this.#checks.set(pointer, check)
    this.#waiting.push(() => {
      clauses = this.#clausesOf(schema, path)
    })
    return check
  }

  /** Remembers that one schema is applied to the same value as another. */
  applies(from: Path, to: Path): void {
    const pointer = pointerOf(from)
    const known = this.#applied.get(pointer)
    if (known === undefined) this.#applied.set(pointer, { path: from, to: [pointerOf(to)] })
    else known.to.push(pointerOf(to))
  }

  pattern(source: string, path: Path): Pattern | undefined {
    const known = this.#patterns.get(source)
    if (known !== undefined) return known
    const made = patternOf(source)
    if (typeof made === 'string') {
      this.wrong(path, made)
      return undefined
    }
    this.#patterns.set(source, made)
    return made
  }

  #clausesOf(schema: Json, path: Path): Check[] {
    if (schema === true) return []
    if (schema === false)
      return [(_value, run) => ({ path: [...run.path], what: 'is not allowed', rule: pointerOf(path) })]
    if (!isObject(schema)) {
      this.wrong(path, 'must be a schema: an object, true or false')
      return []
    }
    return Object.keys(schema).flatMap((name) => {
      const check = keywords.get(name)?.(new Clause(schema, [...path, name], this))
      return check === undefined ? [] : [check]
    })
  }
}
