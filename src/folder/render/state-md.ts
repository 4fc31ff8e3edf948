import { Document, isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml'
import type { JsonObject } from '../../json/value.ts'
import type { RowsToRender } from './rows.ts'
import { stateOf } from './state-md-members.ts'

/** Names that a file repeats by reference: more than this is an attack. */
const aliasesMax = 10

const headings: Readonly<Record<string, string>> = {
  initiative:
    ' Session state\n Written by Cairn from the log. Fields of your own are kept; edits of position, next_action,\n decisions, blockers and open_questions are taken in.',
  position: ' Position',
  progress: ' Progress',
  decisions: ' Decisions that hold',
  blockers: ' Blockers',
  sessions: ' Sessions',
  next_action: ' Next action',
  resume_context: ' To go on from',
  cairn: ' Where this came from',
}

/** `STATE.md`: a YAML document with comments as headings. Fields of others, which stood in it before, stay. */
export function stateMd(rows: RowsToRender, before: string | undefined): string {
  const state = stateOf(rows)
  const document = new Document(state)
  const map = document.contents as unknown as YAMLMap
  for (const pair of map.items) {
    const key = keyOf(pair)
    if (isScalar(pair.key) && headings[key] !== undefined) {
      pair.key.commentBefore = headings[key]
      pair.key.spaceBefore = key !== 'initiative'
    }
  }
  keepOthers(map, before, state)
  return document.toString({ lineWidth: 0 })
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key)
}

function keepOthers(map: YAMLMap, before: string | undefined, state: JsonObject): void {
  const old = before === undefined ? undefined : parseDocument(before)
  if (old === undefined || old.errors.length > 0 || !isMap(old.contents)) return
  for (const pair of old.contents.items) {
    const key = keyOf(pair)
    const own = map.get(key, true)
    if (!(key in state)) map.items.push(pair as never)
    else if (isMap(own) && isMap(pair.value)) {
      for (const inner of pair.value.items) if (!own.has(keyOf(inner))) own.items.push(inner as never)
    }
  }
}

/** What stands in a `STATE.md`; undefined with the reason where it is no YAML. */
export function readStateMd(text: string): { state: unknown } | { broken: string } {
  try {
    const document = parseDocument(text)
    const [error] = document.errors
    if (error !== undefined) return { broken: error.message.split('\n')[0] ?? 'it is no YAML' }
    return { state: document.toJS({ maxAliasCount: aliasesMax }) as unknown }
  } catch (error) {
    return { broken: (error as Error).message }
  }
}
