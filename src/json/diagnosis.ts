import type { Refusal } from './refusal.ts'
import { faultOfName, faultOfText, refuseAt, refuseDepth } from './refusals.ts'
import { type Cursor, faultOfWord, readSpelling, refuseSyntax, skipSpace, take } from './syntax.ts'

/**
 * Says what is wrong with a text that `readJson` will not have: its first fault in reading order. Speed does not matter
 * here, the place does. It reads by the grammar and recurses at most `levels` deep.
 */
export function diagnose(text: string, levels: number): Refusal | undefined {
  const cursor: Cursor = { text, at: 0, levels, path: [] }
  skipSpace(cursor)
  const fault = faultOfValue(cursor)
  if (fault !== undefined) return fault
  skipSpace(cursor)
  if (cursor.at === text.length) return undefined
  return refuseSyntax(cursor, 'the end of the text', 'Send one JSON value and nothing after it.')
}

function faultOfValue(cursor: Cursor): Refusal | undefined {
  switch (cursor.text[cursor.at]) {
    case '{':
      return cursor.path.length < cursor.levels ? faultOfObject(cursor) : refuseDepth(cursor.path, cursor.levels)
    case '[':
      return cursor.path.length < cursor.levels ? faultOfArray(cursor) : refuseDepth(cursor.path, cursor.levels)
    case '"':
      return faultOfString(cursor)
    default:
      return faultOfWord(cursor)
  }
}

function faultOfObject(cursor: Cursor): Refusal | undefined {
  const names = new Set<string>()
  if (opensEmpty(cursor, '}')) return undefined
  for (;;) {
    const fault = faultOfMember(cursor, names)
    if (fault !== undefined) return fault
    if (take(cursor, '}')) return undefined
    if (!take(cursor, ',')) return refuseSyntax(cursor, ', or }', 'Put commas between members and } after the last.')
    skipSpace(cursor)
  }
}

function faultOfMember(cursor: Cursor, names: Set<string>): Refusal | undefined {
  if (cursor.text[cursor.at] !== '"') {
    return refuseSyntax(cursor, 'a key in double quotes', 'Write keys as in {"a": 1}.')
  }
  const spelling = readSpelling(cursor)
  if (typeof spelling !== 'string') return spelling
  const name = JSON.parse(spelling) as string
  cursor.path.push(name)
  const nameFault = faultOfText(spelling, cursor.path) ?? faultOfName(name, cursor.path)
  if (nameFault !== undefined) return nameFault
  if (names.has(name)) {
    return refuseAt('invalid_input', cursor.path, 'is given twice', 'Keep one of the two.')
  }
  names.add(name)
  return faultOfMemberValue(cursor)
}

function faultOfMemberValue(cursor: Cursor): Refusal | undefined {
  skipSpace(cursor)
  if (!take(cursor, ':')) return refuseSyntax(cursor, ':', 'Put a colon between a key and its value.')
  skipSpace(cursor)
  const fault = faultOfValue(cursor)
  if (fault !== undefined) return fault
  cursor.path.pop()
  skipSpace(cursor)
  return undefined
}

function faultOfArray(cursor: Cursor): Refusal | undefined {
  if (opensEmpty(cursor, ']')) return undefined
  for (let index = 0; ; index++) {
    cursor.path.push(index)
    const fault = faultOfValue(cursor)
    if (fault !== undefined) return fault
    cursor.path.pop()
    skipSpace(cursor)
    if (take(cursor, ']')) return undefined
    if (!take(cursor, ',')) return refuseSyntax(cursor, ', or ]', 'Put commas between items and ] after the last.')
    skipSpace(cursor)
  }
}

function faultOfString(cursor: Cursor): Refusal | undefined {
  const spelling = readSpelling(cursor)
  if (typeof spelling !== 'string') return spelling
  // The spelling is looked at too: half a pair in it may meet its other half as an escape, but is no UTF-8 by itself.
  return faultOfText(spelling, cursor.path) ?? faultOfText(JSON.parse(spelling) as string, cursor.path)
}

/** Steps over the opening bracket, and over the closing one when nothing stands between. */
function opensEmpty(cursor: Cursor, close: string): boolean {
  cursor.at++
  skipSpace(cursor)
  return take(cursor, close)
}
