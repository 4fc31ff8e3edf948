import type { Json, JsonObject } from '../../../json/value.ts'
import { isCairn } from '../mcp/client-entry.ts'
import { changesOf } from './entry-changes.ts'
import { type Editor, editorOf, type Syntax } from './syntaxes.ts'
import { applied, type Edits } from './text/edits.ts'
import { TextFault } from './text/text-fault.ts'

export type Path = readonly string[]

/** The entry of the server among the servers of a file. */
export interface EntryPiece {
  readonly kind: 'entry'
  readonly servers: Path
  readonly name: string
  readonly entry: JsonObject
  /** Several programs read the file: placeholders in the notation of another are left as they are. */
  readonly shared: boolean
}

/** A text in a list of a file. */
export interface ItemPiece {
  readonly kind: 'item'
  readonly path: Path
  readonly item: string
}

/** What setup puts into a file. */
export type Piece = EntryPiece | ItemPiece

/** What was done to a text. */
export interface Work {
  readonly text: string
  /** One after the other. */
  readonly batches: readonly Edits[]
  /** Objects and lists that were made on the way. */
  readonly made: readonly Path[]
}

/** A text while it is worked on. */
class Worked implements Work {
  text: string
  readonly batches: Edits[] = []
  readonly made: Path[] = []

  constructor(text: string) {
    this.text = text
  }

  take(edits: Edits): void {
    if (edits.length === 0) return
    this.text = applied(this.text, edits)
    this.batches.push(edits)
  }
}

/** The text with all pieces in it; throws a `TextFault`. */
export function withPieces(text: string, syntax: Syntax, pieces: readonly Piece[]): Work {
  const editor = editorOf(syntax)
  const work = new Worked(text)
  for (const piece of pieces) {
    const above = piece.kind === 'entry' ? piece.servers : piece.path
    const missing = above
      .map((_, at) => above.slice(0, at + 1))
      .filter((path) => editor.at(work.text, path) === undefined)
    const edited = work.text
    if (piece.kind === 'item') work.take(editor.addItem(work.text, piece.path, piece.item))
    else putEntry(work, editor, piece)
    if (work.text !== edited) work.made.push(...missing)
  }
  return work
}

/** The text without them. Of what was made for them, what is empty goes too. */
export function withoutPieces(text: string, syntax: Syntax, pieces: readonly Piece[], made: readonly Path[]): Work {
  const editor = editorOf(syntax)
  const work = new Worked(text)
  for (const piece of pieces) {
    if (piece.kind === 'item') work.take(editor.removeItem(work.text, piece.path, piece.item))
    else {
      const path = [...piece.servers, piece.name]
      if (isCairn(editor.at(work.text, path))) work.take(editor.remove(work.text, path))
    }
  }
  for (const path of [...made].sort((a, b) => b.length - a.length)) {
    if (isEmpty(editor.at(work.text, path))) work.take(editor.remove(work.text, path))
  }
  return work
}

/** Throws where the servers of a text have Cairn under another name. */
export function refuseOtherName(text: string, editor: Editor, servers: Path, name: string): void {
  const found = editor.at(text, servers)
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return
  for (const [other, entry] of Object.entries(found)) {
    if (other === name || !isCairn(entry)) continue
    const place = editor.placeOf(text, [...servers, other]) ?? 0
    throw new TextFault(
      `Cairn is already set up here, as the server ${JSON.stringify(other)}`,
      text,
      place,
      'already_exists',
    )
  }
}

function putEntry(work: Worked, editor: Editor, { servers, name, entry, shared }: EntryPiece): void {
  refuseOtherName(work.text, editor, servers, name)
  const path = [...servers, name]
  const found = editor.at(work.text, path)
  if (found === undefined) {
    work.take(editor.addEntry(work.text, path, entry))
    return
  }
  if (!isCairn(found)) {
    const message = `The server ${JSON.stringify(name)} here starts another program`
    throw new TextFault(message, work.text, editor.placeOf(work.text, path) ?? 0, 'already_exists')
  }
  for (const { path: inside, value } of changesOf(found as JsonObject, entry, shared)) {
    const whole = [...path, ...inside]
    work.take(value === undefined ? editor.remove(work.text, whole) : editor.set(work.text, whole, value))
  }
}

function isEmpty(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
