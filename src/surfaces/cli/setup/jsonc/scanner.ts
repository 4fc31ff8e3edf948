import type { Json } from '../../../../json/value.ts'
import { TextFault } from '../text/text-fault.ts'

const space = /[ \t\r\n]*/y
const spaceAndComments = /(?:[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y

/** Reads the words of JSON off a text, one after the other. */
export class Scanner {
  at: number
  readonly #text: string
  readonly #between: RegExp

  constructor(text: string, comments: boolean) {
    this.#text = text
    this.#between = comments ? spaceAndComments : space
    // A byte order mark is no part of the document, and stays.
    this.at = text.startsWith('\ufeff') ? 1 : 0
  }

  fault(problem: string): TextFault {
    const next = this.#text[this.at]
    const found = next === undefined ? 'the end of the file' : JSON.stringify(next)
    return new TextFault(`${problem}, found ${found}`, this.#text, this.at)
  }

  /** Moves behind white space and comments. */
  skip(): void {
    this.#match(this.#between)
  }

  take(character: string): boolean {
    const isThere = this.#text[this.at] === character
    if (isThere) this.at++
    return isThere
  }

  scalar(): Json {
    if (this.#text[this.at] === '"') return this.#string()
    const read = this.#match(word)
    if (read === undefined) throw this.fault('Expected a value')
    return JSON.parse(read)
  }

  key(): string {
    if (this.#text[this.at] !== '"') throw this.fault('Expected a member name in double quotes')
    const read = this.#string()
    this.skip()
    if (!this.take(':')) throw this.fault('Expected ":"')
    return read
  }

  #string(): string {
    const start = this.at
    let end = start + 1
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1
    this.at = end + 1
    try {
      return JSON.parse(this.#text.slice(start, this.at))
    } catch {
      throw new TextFault('Invalid string', this.#text, start)
    }
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.#text)?.[0]
    this.at += found?.length ?? 0
    return found
  }
}
