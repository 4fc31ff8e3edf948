import type { Json } from '../../../../json/value.ts'
import { TextFault } from '../text/text-fault.ts'
import { stringText } from './strings.ts'

const blanks = /[ \t]*/y
const blanksAndLines = /(?:[ \t]+|\r?\n|#[^\r\n]*)*/y
const bareKey = /[A-Za-z0-9_-]+/y
const date = '\\d{4}-\\d{2}-\\d{2}'
const time = '\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?'
const dated = new RegExp(`${date}(?:[Tt ]${time}(?:[Zz]|[+-]\\d{2}:\\d{2})?)?|${time}`, 'y')
const plain = /[^\s,\]}#=[{"']+/y
const integer = /^[+-]?(?:0|[1-9](?:_?\d)*)$|^0x[\da-fA-F](?:_?[\da-fA-F])*$|^0o[0-7](?:_?[0-7])*$|^0b[01](?:_?[01])*$/
const float = /^[+-]?(?:(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?|inf|nan)$/

/** Reads the words of TOML off a text, one after the other. */
export class Scanner {
  at: number
  readonly text: string

  constructor(text: string) {
    this.text = text
    this.at = text.startsWith('\ufeff') ? 1 : 0
  }

  fault(problem: string, at = this.at): TextFault {
    const next = this.text[at]
    const found = next === undefined ? 'the end of the file' : JSON.stringify(next)
    return new TextFault(`${problem}, found ${found}`, this.text, at)
  }

  /** Moves behind blanks, and with `lines` behind comments and ends of lines too. */
  skip(lines: boolean): void {
    this.match(lines ? blanksAndLines : blanks)
  }

  take(word: string): boolean {
    const isThere = this.text.startsWith(word, this.at)
    if (isThere) this.at += word.length
    return isThere
  }

  /** `a."b c".d` */
  dottedKey(): string[] {
    const keys: string[] = []
    do {
      this.skip(false)
      keys.push(this.#key())
      this.skip(false)
    } while (this.take('.'))
    return keys
  }

  /** After a statement nothing but a comment may stand in its line. */
  endOfLine(): void {
    this.skip(false)
    this.match(/#[^\r\n]*/y)
    if (this.at < this.text.length && this.match(/\r?\n/y) === undefined)
      throw this.fault('Expected the end of the line')
  }

  string(): string | undefined {
    const quote = this.text[this.at]
    if (quote !== '"' && quote !== "'") return undefined
    const { value, end } = stringText(this.text, this.at)
    this.at = end
    return value
  }

  /** A number, a truth value or a date; dates are their text. */
  plain(): Json {
    const start = this.at
    const read = this.match(dated) ?? this.match(plain) ?? ''
    if (read === 'true' || read === 'false') return read === 'true'
    if (new RegExp(`^(?:${dated.source})$`).test(read)) return read
    if (integer.test(read) || float.test(read)) return Number(read.replaceAll('_', ''))
    throw this.fault('Expected a value', start)
  }

  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    this.at += found?.length ?? 0
    return found
  }

  #key(): string {
    const start = this.at
    const read = this.text.startsWith('"""', start) || this.text.startsWith("'''", start) ? undefined : this.string()
    const key = read ?? this.match(bareKey)
    if (key === undefined) throw this.fault('Expected a key')
    return key
  }
}
