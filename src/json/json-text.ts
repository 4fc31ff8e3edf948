import type { Json } from './value.ts'

/** Values that are written with fewer characters are parsed: others look at them, and it costs little. */
const heldCharsMin = 16 * 1024

/** How deep in an answer values are held as text: the document, its keys, and what is said of each. */
const heldLevels = 3

/** Pieces of about this size are put together before they are handed on. */
const pieceChars = 64 * 1024

/**
 * A value as the JSON text that it was kept as. Parsing millions of members only to write them out again takes seconds and many times the
 * memory of the text.
 */
class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toJSON(): Json {
    return JSON.parse(this.text) as Json
  }
}

/** A value for an answer that is written out, or parsed by `inFull`: where it is large, its text. */
export function held(text: string): Json {
  // It is written as the value that it stands for, whoever writes it.
  return text.length < heldCharsMin ? (JSON.parse(text) as Json) : (new JsonText(text) as unknown as Json)
}

/** An answer with all of its values parsed, for whoever looks at them. */
export function inFull<Out extends Json>(answer: Out): Out {
  return parsedWithin(answer, heldLevels) as Out
}

function parsedWithin(value: Json, levels: number): Json {
  if (value instanceof JsonText) return value.toJSON()
  if (levels === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => parsedWithin(item, levels - 1))
  // Not by assignment: a member named __proto__ is one like any other here.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, parsedWithin(member, levels - 1)]))
}

/** The JSON text of an answer, in pieces that follow one another; what is held as text is a piece as it is. */
export function writtenPieces(answer: Json): string[] {
  const pieces: string[] = []
  let piece = ''
  const add = (text: string) => {
    if (text.length >= pieceChars || piece.length >= pieceChars) {
      if (piece !== '') pieces.push(piece)
      piece = ''
    }
    if (text.length >= pieceChars) pieces.push(text)
    else piece += text
  }
  const write = (value: Json, levels: number) => {
    if (value instanceof JsonText) add(value.text)
    else if (levels === 0 || !mayHold(value, levels)) add(JSON.stringify(value))
    else if (Array.isArray(value)) {
      add('[')
      for (const [at, item] of value.entries()) {
        if (at > 0) add(',')
        write(item, levels - 1)
      }
      add(']')
    } else {
      let before = '{'
      for (const [name, member] of Object.entries(value as object) as [string, Json | undefined][]) {
        if (member === undefined) continue
        add(`${before}${JSON.stringify(name)}:`)
        write(member, levels - 1)
        before = ','
      }
      add(before === '{' ? '{}' : '}')
    }
  }
  write(answer, heldLevels)
  if (piece !== '') pieces.push(piece)
  return pieces
}

/** Whether a text may be held somewhere in a value; one level above the last it is seen, and what holds none is written at once. */
function mayHold(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels > 1 || Object.values(value).some((member) => member instanceof JsonText)
}
