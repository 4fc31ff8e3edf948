import { mkdirSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isoTime } from '../domain/log/identity.ts'
import { CairnRefusal, Refusal, type RefusalCode, refuse } from '../domain/log/refusal.ts'
import type { Answer } from '../domain/log/rows.ts'
import { type JsonObject, readJson } from '../json/value.ts'
import { isForInbox } from '../operations/folders/inbox.ts'
import { checkWithin, names, projectOf } from './layout.ts'
import { readPlain } from './plain-file.ts'
import { replace } from './views.ts'

/** Does what a command says, as somebody who may change the root that the folder is of, and no other. */
export type Perform = (operation: string, input: JsonObject) => Promise<Answer>

/** A command is a request; what is longer is data. */
const commandBytesMax = 1024 * 1024
/** So many at a time: others are waited for, too. */
const commandsMax = 200
/** A file that is no JSON may still be being written. */
const settleMs = 2000

/** Not for what was asked, but for how things are at present: it is tried again. */
const passing: ReadonlySet<RefusalCode> = new Set([
  'busy',
  'unavailable',
  'timeout',
  'rate_limited',
  'outcome_unknown',
  'storage_error',
  'disk_full',
])

export function isPassing({ code }: Refusal): boolean {
  return passing.has(code)
}

/** Does what files in the inbox of a folder ask for, in their order; says how many are left to be done. Names are unique, and so are requests. */
export async function workOff(dir: string, perform: Perform, now: () => number): Promise<number> {
  const inbox = join(dir, names.inbox)
  // What lies behind a link is somebody else's: it is neither read nor taken away.
  checkWithin(projectOf(dir), join(dir, names.rejected))
  const found = await readdir(inbox).catch(() => [])
  const files = found.filter((name) => name.endsWith('.json')).sort()
  let left = Math.max(0, files.length - commandsMax)
  for (const name of files.slice(0, commandsMax)) {
    const path = join(inbox, name)
    const refusal = await performed(path, name.slice(0, -'.json'.length), perform, now)
    if (refusal === 'later') {
      left += 1
      continue
    }
    if (refusal !== undefined) reject(dir, name, refusal, now())
    await rm(path, { force: true, recursive: false }).catch(() => undefined)
  }
  return left
}

interface Refused {
  readonly refusal: Refusal
  readonly command: JsonObject | string
}

async function performed(
  path: string,
  name: string,
  perform: Perform,
  now: () => number,
): Promise<Refused | 'later' | undefined> {
  let text = ''
  let command: JsonObject | string = ''
  try {
    text = (await readPlain(path, commandBytesMax))?.toString() ?? ''
    const read = readJson(text.replace(/^\ufeff/, ''))
    if (read instanceof Refusal && now() - (await stat(path)).mtimeMs < settleMs) return 'later'
    command = commandOf(read)
    const { operation, input, request_id = name } = command as JsonObject
    await perform(String(operation), { ...(input as JsonObject), request_id })
    return undefined
  } catch (error) {
    const refusal =
      error instanceof CairnRefusal ? error.refusal : error instanceof Refusal ? (error as Refusal) : undefined
    if (refusal === undefined) return { refusal: broken(error), command: command === '' ? text : command }
    return isPassing(refusal) ? 'later' : { refusal, command: command === '' ? text : command }
  }
}

function commandOf(read: unknown): JsonObject {
  if (read instanceof Refusal) throw wrong('is not valid JSON')
  const { operation, input = {} } = (read ?? {}) as JsonObject
  if (typeof operation !== 'string' || typeof input !== 'object' || input === null || Array.isArray(input))
    throw wrong('has no `operation` with an `input`')
  if (!isForInbox(operation)) {
    const hint = 'Ask the store: with the command cairn, the library or MCP.'
    throw refuse('forbidden', `${JSON.stringify(operation)} cannot be asked for in an inbox.`, hint)
  }
  return { ...(read as JsonObject), input }
}

function wrong(what: string): Refusal {
  const hint = 'Write it as {"operation": "journal.note", "input": {"text": "…"}, "request_id": "…"}.'
  return refuse('invalid_input', `The command ${what}.`, hint)
}

function broken(error: unknown): Refusal {
  const what = String((error as NodeJS.ErrnoException).code ?? (error as Error).message).slice(0, 200)
  return refuse('internal', `The command could not be performed (${what}).`, 'Try again, or ask the store.')
}

/** What was asked for, and why it was not done. */
function reject(dir: string, name: string, { refusal, command }: Refused, at: number): void {
  const { code, message, hint } = refusal
  const said = {
    at: isoTime(at),
    error: code,
    message,
    hint,
    command: typeof command === 'string' ? command.slice(0, 10_000) : command,
  }
  mkdirSync(join(dir, names.rejected), { recursive: true })
  replace(join(dir, names.rejected, name), `${JSON.stringify(said, undefined, 2)}\n`)
}
