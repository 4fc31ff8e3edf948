import type { Json, JsonObject } from '../../json/value.ts'
import type { Asking } from '../log/questions.ts'
import { putBack } from './forms/large-content.ts'
import { blobBytes, type Entry } from './reading.ts'
import type { BlobPlace, Stored } from './stored.ts'

/** A blob of more than this is not put back into a message that is answered: whoever needs it asks for it by its hash. */
const inlinedMax = 1024 * 1024
/** …and not more than so much in one answer. */
const inlinedAllMax = 16 * 1024 * 1024

/** A message as it is shown: with its place in the conversation. */
export type Shown = Stored & {
  readonly version: number
  /** Its event: a version may be that of another conversation, from which it was copied. */
  readonly seq: number
  readonly outcome?: 'unknown'
  readonly summary?: true
}

/** Content that is left where it is: the message has an empty text in its place. */
export type Left = { sequence_number: number } & BlobPlace

export interface Messages {
  readonly messages: Shown[]
  readonly left: Left[]
  /** How many messages have their content elsewhere. */
  readonly absent: number
}

/** The messages among events of a conversation; the summary of what was compacted stands for it. */
export function* shownOf(root: number, entries: readonly Entry[]): Asking<Messages> {
  const messages: Shown[] = []
  const left: Left[] = []
  const contents = new Contents(root)
  let absent = 0
  for (const { version, seq, type, data } of entries) {
    if (data === null) absent += isMessage(type) || type === 'context_compacted' ? 1 : 0
    else if (type === 'context_compacted') messages.push(summaryOf(version, seq, data))
    else if (isMessage(type)) {
      const places = data.blobs as unknown as readonly BlobPlace[] | undefined
      if (places === undefined) messages.push(shown(type, version, seq, data, data.message as JsonObject))
      else {
        const { message, missing } = yield* contents.putBack(data.message as JsonObject, places)
        left.push(...missing.map((place) => ({ sequence_number: version, ...place })))
        messages.push(shown(type, version, seq, data, message))
      }
    }
  }
  return { messages, left, absent }
}

function shown(type: string, version: number, seq: number, data: JsonObject, message: JsonObject): Shown {
  const { form, call, joined, outcome } = data
  const plain = { type, version, seq, message } as Shown
  if (form === undefined && call === undefined && joined === undefined) return plain
  return { ...plain, ...given({ form, call, joined, outcome }) }
}

function given(marks: { [name: string]: Json | undefined }): object {
  return Object.fromEntries(Object.entries(marks).filter(([, value]) => value !== undefined))
}

export function isMessage(type: string): boolean {
  return type.endsWith('_message') || type === 'tool_result'
}

function summaryOf(version: number, seq: number, { summary }: JsonObject): Shown {
  return { type: 'user_message', version, seq, summary: true, message: { role: 'user', content: summary ?? '' } }
}

/** The blobs of messages, each loaded once. */
class Contents {
  readonly #root: number
  readonly #known = new Map<string, Uint8Array | undefined>()
  #bytes = 0

  constructor(root: number) {
    this.#root = root
  }

  *putBack(message: JsonObject, places: readonly BlobPlace[]): Asking<ReturnType<typeof putBack>> {
    for (const { hash, bytes } of places) {
      if (this.#known.has(hash)) continue
      const fits = bytes <= inlinedMax && this.#bytes + bytes <= inlinedAllMax
      this.#known.set(hash, fits ? yield* blobBytes(this.#root, hash) : undefined)
      if (fits) this.#bytes += bytes
    }
    return putBack(message, places, (hash) => this.#known.get(hash))
  }
}
