import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { canonical, checkJson, type Json, type JsonObject } from '../../json/value.ts'
import { type Command, notEditable } from './command.ts'
import type { RowsToRender } from './rows.ts'
import { readStateMd } from './state-md.ts'
import { stateOf } from './state-md-members.ts'

const asList = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])
const asObject = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
const asText = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** Counted, or said elsewhere. */
const ofItself = ['initiative', 'title', 'progress', 'sessions', 'cairn'] as const

/** What an edit of `STATE.md` asks for. Fields that are not Cairn's are left alone. */
export function parseStateMd(path: string, text: string, rows: RowsToRender): readonly Command[] | Refusal {
  const read = readStateMd(text)
  if ('broken' in read) return notYaml(path, read.broken)
  const edited = checkJson(read.state)
  if (edited instanceof Refusal) return edited
  const [now, wanted] = [stateOf(rows), asObject(edited)]
  const fixed = ofItself.find((member) => wanted[member] !== undefined && differs(now[member], wanted[member]))
  if (fixed !== undefined) return notEditable(path, fixed, 'It follows from the log.')
  const commands: Command[] = []
  for (const part of [positionCommands, nextCommands, decisionCommands, blockerCommands, contextCommands]) {
    const found = part(path, now, wanted)
    if (found instanceof Refusal) return found
    commands.push(...found)
  }
  return commands
}

type Part = (path: string, now: JsonObject, wanted: JsonObject) => readonly Command[] | Refusal

function notYaml(path: string, what: string): Refusal {
  const hint = 'Mend it, or remove the file: it is written anew from the log.'
  return refuse('invalid_input', `${path} is not valid YAML: ${what}`, hint, { path })
}

/** A member that is not there any more was not meant. */
function differs(now: Json | undefined, wanted: Json | undefined): boolean {
  if (typeof now === 'object' && now !== null && !Array.isArray(now))
    return Object.entries(now).some(([member, value]) => {
      const said = asObject(wanted)[member]
      return said !== undefined && canonical(said) !== canonical(value)
    })
  return canonical(now ?? null) !== canonical(wanted ?? null)
}

const positionCommands: Part = (path, now, wanted) => {
  const [before, after] = [asObject(now.position), asObject(wanted.position)]
  const changed = Object.keys(before).filter(
    (member) => after[member] !== undefined && after[member] !== before[member],
  )
  const derived = changed.find((member) => member.endsWith('_name'))
  if (derived !== undefined) return notEditable(path, `position.${derived}`, 'It follows from the number beside it.')
  const empty = changed.find((member) => after[member] === null)
  if (empty !== undefined) return notEditable(path, `position.${empty}`, 'Say where the work is now.')
  if (changed.length === 0) return []
  return [
    {
      operation: 'journal.position',
      input: Object.fromEntries(changed.map((member) => [member, after[member] ?? null])),
    },
  ]
}

const nextCommands: Part = (_path, now, wanted) => {
  const text = asText(wanted.next_action).trimEnd()
  return text === '' || text === asText(now.next_action).trimEnd()
    ? []
    : [{ operation: 'journal.next', input: { text } }]
}

/** Entries that are there stay as they are; others follow. */
function added(path: string, member: string, now: JsonObject, wanted: JsonObject): JsonObject[] | Refusal {
  if (wanted[member] === undefined) return []
  const all = asList(wanted[member]).map(asObject)
  const known = new Map(
    asList(now[member])
      .map(asObject)
      .map((entry) => [entry.id, entry]),
  )
  const missing = [...known.keys()].find((id) => !all.some((entry) => entry.id === id))
  if (missing !== undefined)
    return notEditable(path, `${missing}`, 'Entries are not taken away; add others after them.')
  return all.filter((entry) => entry.id === undefined || !known.has(entry.id))
}

const decisionCommands: Part = (path, now, wanted) => {
  const fresh = added(path, 'decisions', now, wanted)
  if (fresh instanceof Refusal) return fresh
  const before = new Map(
    asList(now.decisions)
      .map(asObject)
      .map((entry) => [entry.id, entry]),
  )
  const superseding = asList(wanted.decisions)
    .map(asObject)
    .filter((entry) => before.has(entry.id) && differs(before.get(entry.id), entry))
    .map((entry) => ({ ...entry, supersedes: entry.id ?? null }))
  return [...superseding, ...fresh].map(
    ({ decision = null, context = null, reason = null, supersedes }: JsonObject) => ({
      operation: 'decision.add',
      input: { decision, context, reason, ...(supersedes !== undefined && { supersedes }) },
    }),
  )
}

const blockerCommands: Part = (path, now, wanted) => {
  const fresh = added(path, 'blockers', now, wanted)
  if (fresh instanceof Refusal) return fresh
  const before = new Map(
    asList(now.blockers)
      .map(asObject)
      .map((entry) => [entry.id, entry]),
  )
  const commands: Command[] = []
  for (const entry of asList(wanted.blockers).map(asObject)) {
    const known = before.get(entry.id)
    if (known === undefined || !differs(known, entry)) continue
    const { workaround = null, id = null, ...rest } = entry
    const isBypass =
      workaround !== null &&
      known.workaround === null &&
      !differs({ ...known, workaround: null, id: null }, { ...rest, workaround: null, id: null })
    if (!isBypass) return notEditable(path, String(id), 'A workaround can be added; resolve it with `blocker.resolve`.')
    commands.push({ operation: 'blocker.bypass', input: { blocker: id, workaround } })
  }
  for (const { description = null, affects } of fresh)
    commands.push({
      operation: 'blocker.add',
      input: { description, ...(asList(affects).length > 0 && { affects: asList(affects) }) },
    })
  return commands
}

const contextCommands: Part = (path, now, wanted) => {
  const [before, after] = [asObject(now.resume_context), asObject(wanted.resume_context)]
  const input: { [member: string]: Json } = {}
  const members = {
    files_modified_this_session: 'files',
    key_implementations: 'implementations',
    open_questions: 'questions',
  }
  for (const [member, name] of Object.entries(members)) {
    if (after[member] === undefined) continue
    const [known, all] = [asList(before[member]), asList(after[member])]
    if (known.some((item) => !all.includes(item)))
      return notEditable(path, member, 'Items are not taken away here; add others.')
    const fresh = all.filter((item) => !known.includes(item))
    if (fresh.length > 0) input[name] = fresh
  }
  return Object.keys(input).length === 0 ? [] : [{ operation: 'journal.update', input }]
}
