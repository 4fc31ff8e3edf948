import { newlineOf } from '../text/edits.ts'
import type { Node } from './document.ts'

const unitUsual = '  '

/** How a text is laid out: what a new piece of it has to look like. */
export class Layout {
  readonly newline: string
  readonly unit: string
  readonly #text: string

  constructor(text: string, document: Node) {
    this.#text = text
    this.newline = newlineOf(text)
    const [first] = document.kind === 'scalar' ? [] : document.elements
    const depth = document.kind === 'scalar' ? '' : this.indentAt(document.start)
    const own = first === undefined ? undefined : this.#ownIndent(first.start)
    this.unit = own?.startsWith(depth) && own !== depth ? own.slice(depth.length) : unitUsual
  }

  /** The white space that the line of an offset begins with. */
  indentAt(offset: number): string {
    const start = this.#text.lastIndexOf('\n', offset - 1) + 1
    return /^\ufeff?([ \t]*)/.exec(this.#text.slice(start, offset))?.[1] ?? ''
  }

  /** The indentation of what stands first in its line. */
  #ownIndent(offset: number): string | undefined {
    const start = this.#text.lastIndexOf('\n', offset - 1) + 1
    const before = this.#text.slice(start, offset)
    return start > 0 && /^[ \t]*$/.test(before) ? before : undefined
  }

  /** The indentation of elements of a container. */
  innerIndent(container: Node): string {
    const last = container.kind === 'scalar' ? undefined : container.elements.at(-1)
    const own = last === undefined ? undefined : this.#ownIndent(last.start)
    return own ?? this.indentAt(container.start) + this.unit
  }

  /** A value as text: over several lines behind an indentation, or on one line. */
  shown(value: unknown, indent: string | undefined): string {
    if (indent === undefined) return JSON.stringify(value)
    return JSON.stringify(value, null, this.unit).replaceAll('\n', this.newline + indent)
  }
}
