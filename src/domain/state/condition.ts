import { type Json, readJson, sameJson } from '../../json/value.ts'
import { Refusal, refuse } from '../log/refusal.ts'

/** Longer than this it is a program and not a condition; it also bounds how deep parentheses can nest. */
export const conditionCharsMax = 1000

/** Whether a condition holds for the value of a key; undefined where there is no key. */
export type Condition = (value: Json | undefined) => boolean

/** What an operand stands for; undefined where it is missing. */
type Operand = (value: Json | undefined) => Json | undefined

interface Token {
  readonly text: string
  /** From 1, as people count. */
  readonly at: number
}

/**
 * A small condition on one value: `value >= 3 && value < 10`, `exists`, `absent`, `length > 2`, `.path.to == "x"`, with `&& || !`
 * and parentheses. Numbers compare as numbers and texts as texts; a comparison with what is missing, or of an order between
 * different types, is false. There are no regular expressions and no calls.
 */
export function readCondition(text: string): Condition | Refusal {
  try {
    return new Reader(tokensOf(text), text.length + 1).whole()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const tokens =
  /\s*(?:(\|\||&&|[=!<>]=|[<>!()])|("(?:[^"\\]|\\.)*")|(\.(?:"(?:[^"\\]|\\.)*"|[\w-]+))|(-?\d[\w.+-]*|[a-zA-Z]\w*))/y

function tokensOf(text: string): Token[] {
  const found: Token[] = []
  const end = text.trimEnd().length
  for (let at = 0; at < end; ) {
    tokens.lastIndex = at
    const match = tokens.exec(text)
    if (match === null) {
      const space = /\s*/.exec(text.slice(at))?.[0].length ?? 0
      throw unread(at + space + 1, `${JSON.stringify(text[at + space])} has no meaning here`)
    }
    const [whole] = match
    const token = whole.trimStart()
    found.push({ text: token, at: at + whole.length - token.length + 1 })
    at = tokens.lastIndex
  }
  return found
}

function unread(at: number, what: string): Refusal {
  const message = `The condition is invalid at position ${at}: ${what}.`
  const hint = 'Write for example exists, value >= 3 && value < 10, length > 2 or .path.to == "x".'
  return refuse('invalid_input', message, hint, { path: 'condition', position: at })
}

class Reader {
  readonly #tokens: readonly Token[]
  readonly #end: number
  #next = 0

  constructor(tokens: readonly Token[], end: number) {
    this.#tokens = tokens
    this.#end = end
  }

  whole(): Condition {
    const condition = this.#either()
    const rest = this.#tokens[this.#next]
    if (rest !== undefined) throw unread(rest.at, `${JSON.stringify(rest.text)} is one too many`)
    return condition
  }

  #either(): Condition {
    let left = this.#both()
    while (this.#takes('||')) {
      const [before, after] = [left, this.#both()]
      left = (value) => before(value) || after(value)
    }
    return left
  }

  #both(): Condition {
    let left = this.#single()
    while (this.#takes('&&')) {
      const [before, after] = [left, this.#single()]
      left = (value) => before(value) && after(value)
    }
    return left
  }

  #single(): Condition {
    if (this.#takes('!')) {
      const denied = this.#single()
      return (value) => !denied(value)
    }
    if (!this.#takes('(')) return this.#comparison()
    const inside = this.#either()
    if (!this.#takes(')')) throw unread(this.#at(), 'a ) is missing')
    return inside
  }

  /** An operand alone holds when it is true. */
  #comparison(): Condition {
    const left = this.#operand()
    const compare = comparisons[this.#tokens[this.#next]?.text ?? '']
    if (compare === undefined) return (value) => left(value) === true
    this.#next += 1
    const right = this.#operand()
    return (value) => {
      const [a, b] = [left(value), right(value)]
      return a !== undefined && b !== undefined && compare(a, b)
    }
  }

  #operand(): Operand {
    const token = this.#tokens[this.#next]
    if (token === undefined) throw unread(this.#at(), 'something is missing')
    this.#next += 1
    if (token.text === 'exists') return (value) => value !== undefined
    if (token.text === 'absent') return (value) => value === undefined
    if (token.text === 'length') return lengthOf
    if (token.text === 'value') return this.#path([])
    if (token.text.startsWith('.')) return this.#path([nameOf(token)])
    const literal = readJson(token.text)
    if (literal instanceof Refusal) throw unread(token.at, `${JSON.stringify(token.text)} has no meaning here`)
    return () => literal
  }

  #path(names: string[]): Operand {
    for (let token = this.#tokens[this.#next]; token?.text.startsWith('.'); token = this.#tokens[this.#next]) {
      names.push(nameOf(token))
      this.#next += 1
    }
    return (value) => names.reduce(memberOf, value)
  }

  #takes(text: string): boolean {
    if (this.#tokens[this.#next]?.text !== text) return false
    this.#next += 1
    return true
  }

  #at(): number {
    return this.#tokens[this.#next]?.at ?? this.#end
  }
}

function nameOf({ text, at }: Token): string {
  const name = text.slice(1)
  if (!name.startsWith('"')) return name
  const read = readJson(name)
  if (typeof read !== 'string') throw unread(at, `${name} is no name`)
  return read
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined
  return Object.hasOwn(value, name) ? value[name] : undefined
}

/** Of a text its characters, of an array its items, of an object its members. */
function lengthOf(value: Json | undefined): number | undefined {
  if (typeof value === 'string') return [...value].length
  if (typeof value !== 'object' || value === null) return undefined
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

type Comparison = (a: Json, b: Json) => boolean

const comparisons: Partial<Record<string, Comparison>> = {
  '==': sameJson,
  '!=': (a, b) => !sameJson(a, b),
  '<': (a, b) => orderOf(a, b) < 0,
  '<=': (a, b) => orderOf(a, b) <= 0,
  '>': (a, b) => orderOf(a, b) > 0,
  '>=': (a, b) => orderOf(a, b) >= 0,
}

/** Not a number where two values have no order, so that every comparison with it is false. */
function orderOf(a: Json, b: Json): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a !== 'string' || typeof b !== 'string') return Number.NaN
  return a === b ? 0 : a < b ? -1 : 1
}
