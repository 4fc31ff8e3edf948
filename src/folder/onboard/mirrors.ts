import { join } from 'node:path'
import { digestOf } from '../../domain/log/event.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import type { JsonObject } from '../../json/value.ts'
import { type ForeignEvent, readForeign } from '../../log/adopt/foreign-event.ts'
import { names } from '../layout.ts'
import type { MirrorHead } from '../mirror-line.ts'
import { readPlain } from '../plain-file.ts'
import { mirrorNames } from './files-seen.ts'

/** Beyond this a mirror would not fit into memory together with what is made of it. */
const mirrorBytesMax = 256 * 1024 * 1024

/** One file of events, as it lies there. */
export interface ReadMirror {
  readonly head: MirrorHead
  readonly events: readonly ForeignEvent[]
}

/** All mirrors of a folder. Throws a refusal that names the file and the line. */
export async function readMirrors(dir: string): Promise<ReadMirror[]> {
  const mirrors: ReadMirror[] = []
  for (const name of mirrorNames(dir)) {
    const path = join(dir, names.log, name)
    const content = await readPlain(path, mirrorBytesMax)
    const mirror = content === undefined ? undefined : read(content.toString(), path)
    if (mirror !== undefined) mirrors.push(mirror)
  }
  const absent = new Set(mirrors.flatMap(({ events }) => events.filter(({ data }) => data === null)))
  if (absent.size === 0) return mirrors
  await fillIn(dir, [...absent])
  return mirrors
}

/** Undefined for a file that a process died over before it had begun. */
function read(text: string, path: string): ReadMirror | undefined {
  // What comes after the last line break was torn off: the store that wrote it has it whole.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  lines.pop()
  const [first, ...rest] = lines
  if (first === undefined) return undefined
  const head = headOf(first, path)
  const events = rest.map((line, at) => {
    const event = readForeign(parsed(line, path, at + 2), at)
    if (event instanceof Refusal) throw wrong(path, at + 2, 'is no event')
    return event
  })
  return { head, events }
}

function headOf(line: string, path: string): MirrorHead {
  const { cairn, root, replica, after, origin } = parsed(line, path, 1)
  if (typeof cairn === 'number' && cairn > 1) throw tooNew(path)
  const isHead =
    cairn === 1 && /^sess_[0-9a-f]{32}$/.test(String(root)) && Number.isSafeInteger(after) && Number(after) >= 0
  if (!isHead) throw wrong(path, 1, 'does not say of which root it is')
  const from = (origin ?? undefined) as MirrorHead['origin'] | undefined
  return { cairn: 1, root: String(root), replica: String(replica), after: Number(after), ...(from && { origin: from }) }
}

function parsed(line: string, path: string, at: number): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    throw wrong(path, at, 'is no JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(path, at, 'is no object')
  return value as JsonObject
}

/** Conversations that came along: a body counts where it is what its digest says. */
async function fillIn(dir: string, events: readonly ForeignEvent[]): Promise<void> {
  const wanted = new Map(events.map((event) => [event.id, event]))
  const numbers = new Set(events.map(({ stream }) => /^context\/(\d+)$/.exec(stream)?.[1]))
  for (const no of numbers) {
    if (no === undefined) continue
    const content = await readPlain(join(dir, names.transcripts, `${no}.jsonl`), mirrorBytesMax)
    for (const line of content?.toString().split('\n') ?? []) {
      const said = bodyIn(line)
      const event = said && wanted.get(said.id)
      if (event && digestOf(said.data) === event.digest) Object.assign(event, { data: said.data, digest: null })
    }
  }
}

function bodyIn(line: string): { id: string; data: string } | undefined {
  try {
    const { id, data } = JSON.parse(line) as { id: string; data: unknown }
    return { id, data: JSON.stringify(data) }
  } catch {
    // A line that was torn off, or is somebody else's: the body stays behind.
    return undefined
  }
}

function wrong(path: string, line: number, what: string): Refusal {
  const hint =
    'It was changed or merged by hand: get it again from where it was written. Nothing of this folder was taken in.'
  return refuse('invalid_input', `Line ${line} of ${path} ${what}.`, hint, { path, line })
}

function tooNew(path: string): Refusal {
  return refuse('store_too_new', `${path} was written by a newer Cairn.`, 'Upgrade this one and onboard it again.', {
    path,
  })
}
