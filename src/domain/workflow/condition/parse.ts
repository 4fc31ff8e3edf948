import { Refusal, refuse } from '../../log/refusal.ts'
import { type Comparison, type Condition, comparisons } from './condition.ts'
import { misread, type Token, tokensOf } from './token.ts'

/** A condition is a line that people read; longer ones belong into the state, as a key that says what they mean. */
export const conditionCharsMax = 1000
/** Each level of brackets is a level of recursion. */
const levelsMax = 50

const usage = 'Write a comparison such as state.ready == true, joined by and, or, not.'
const constants = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
])
const wordsOfLanguage = new Set(['and', 'or', 'not', 'state', ...constants.keys()])

/**
 * Reads a condition: values of the shared state (`state.KEY`, `state["any key"].member[0]`), constants, comparisons, `and`, `or`, `not`
 * and brackets. It calls nothing and matches no patterns, so that its cost is that of its length.
 */
export function parseCondition(text: string): Condition | Refusal {
  if (text.length > conditionCharsMax) {
    const message = `The condition has ${text.length} characters; the maximum is ${conditionCharsMax}.`
    return refuse('invalid_input', message, 'Set a key of the shared state to its result, and ask for that.')
  }
  const tokens = tokensOf(text)
  if (tokens instanceof Refusal) return tokens
  try {
    return new Reading(tokens).all()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Reads by recursive descent; what is wrong is thrown, and caught above. */
class Reading {
  readonly #tokens: readonly Token[]
  #next = 0
  #levels = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  all(): Condition {
    const condition = this.#either()
    if (this.#token.kind !== 'end') throw this.#unexpected(usage)
    return condition
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token
  }

  #either(): Condition {
    let left = this.#both()
    while (this.#take('word', 'or') || this.#take('sign', '||')) left = { kind: 'or', left, right: this.#both() }
    return left
  }

  #both(): Condition {
    let left = this.#negated()
    while (this.#take('word', 'and') || this.#take('sign', '&&')) left = { kind: 'and', left, right: this.#negated() }
    return left
  }

  #negated(): Condition {
    if (!this.#take('word', 'not') && !this.#take('sign', '!')) return this.#comparison()
    return this.#within(() => ({ kind: 'not', of: this.#negated() }))
  }

  #comparison(): Condition {
    const left = this.#operand()
    const by = this.#comparisonHere()
    if (by === undefined) return left
    const condition: Condition = { kind: 'compare', by, left, right: this.#operand() }
    if (this.#comparisonHere() !== undefined) {
      this.#next--
      throw this.#unexpected('Join two comparisons with and.')
    }
    return condition
  }

  #comparisonHere(): Comparison | undefined {
    const by = comparisons.find((each) => this.#token.kind === 'sign' && this.#token.text === each)
    if (by !== undefined) this.#next++
    return by
  }

  #operand(): Condition {
    const token = this.#token
    if (this.#take('sign', '(')) {
      const inside = this.#within(() => this.#either())
      this.#expect(')', 'Close the bracket with ).')
      return inside
    }
    if (token.kind === 'text' || token.kind === 'number') {
      this.#next++
      return { kind: 'value', value: token.kind === 'text' ? token.text : Number(token.text) }
    }
    if (this.#take('word', 'state')) return this.#stateValue()
    const constant = token.kind === 'word' ? constants.get(token.text) : undefined
    if (constant === undefined) throw this.#unexpected(this.#hintForWord())
    this.#next++
    return { kind: 'value', value: constant }
  }

  #stateValue(): Condition {
    const key = this.#part()
    if (typeof key !== 'string') throw this.#unexpected('Name a key: state.KEY or state["any key"].')
    const below: (string | number)[] = []
    for (let part = this.#part(); part !== undefined; part = this.#part()) below.push(part)
    return { kind: 'state', key, below }
  }

  /** `.name`, `["any name"]` or `[0]`. */
  #part(): string | number | undefined {
    if (this.#take('sign', '.')) {
      const token = this.#token
      if (token.kind !== 'word') throw this.#unexpected('Write names that are no plain words as ["such a name"].')
      this.#next++
      return token.text
    }
    if (!this.#take('sign', '[')) return undefined
    const { kind, text } = this.#token
    const isPlace = kind === 'number' && /^\d+$/.test(text)
    if (kind !== 'text' && !isPlace) throw this.#unexpected('Write ["a name"] or the number of an item, [0].')
    this.#next++
    this.#expect(']', 'Close it with ].')
    return isPlace ? Number(text) : text
  }

  #within(read: () => Condition): Condition {
    if (++this.#levels > levelsMax) throw this.#unexpected(`Nest at most ${levelsMax} levels.`)
    const condition = read()
    this.#levels--
    return condition
  }

  #take(kind: Token['kind'], text: string): boolean {
    const isHere = this.#token.kind === kind && this.#token.text === text
    if (isHere) this.#next++
    return isHere
  }

  #expect(sign: string, hint: string): void {
    if (!this.#take('sign', sign)) throw this.#unexpected(hint)
  }

  #hintForWord(): string {
    const { kind, text } = this.#token
    return kind === 'word' && !wordsOfLanguage.has(text) ? `Write a key of the shared state as state.${text}.` : usage
  }

  #unexpected(hint: string): Refusal {
    const { kind, text, at } = this.#token
    return misread(at, kind === 'end' ? 'end' : JSON.stringify(text.slice(0, 40)), hint)
  }
}
