import type { BlobShown } from '../../domain/blobs/blob.ts'
import { takeLarge } from '../../domain/conversations/forms/large-content.ts'
import { inlineBytesMax } from '../../domain/conversations/members.ts'
import { redactMessage } from '../../domain/conversations/redaction.ts'
import { redactValues, type SecretValue } from '../../domain/conversations/secret-values.ts'
import type { BlobPlace } from '../../domain/conversations/stored.ts'
import { byteLength, type Json, type JsonObject } from '../../json/value.ts'

/** Of a message of more than this, long texts and all that is binary are uploaded as blobs before it: a request has a limit. */
const messageBytesMax = 1024 * 1024

export interface Sending {
  /** Values that must not be stored, of the environment of the agent. */
  readonly secrets: readonly SecretValue[]
  upload(content: Uint8Array): Promise<BlobShown>
}

/** A message as it is sent, with what was uploaded of it. */
export interface SentMessage {
  readonly message: JsonObject
  readonly blobs?: BlobPlace[]
}

/** A message on its way to a store: with texts that JSON can carry, without secrets, and with what is large uploaded before. */
export async function outgoingMessage(given: JsonObject, { secrets, upload }: Sending): Promise<SentMessage> {
  const plain = storable(given) as JsonObject
  const { value } = secrets.length === 0 ? { value: plain } : redactValues(plain, secrets)
  if (byteLength(JSON.stringify(value)) <= messageBytesMax) return { message: value }
  // What is uploaded is not looked through again when it is named.
  const { message, taken } = takeLarge(redactMessage(value).message, inlineBytesMax)
  const blobs: BlobPlace[] = []
  for (const { path, content, encoding } of taken) {
    const { hash, bytes } = await upload(content)
    blobs.push({ path, hash, bytes, encoding })
  }
  return { message, blobs }
}

/** Tools print what they like: NUL and halves of characters, which no store keeps, are shown as what they are. */
function storable(value: Json): Json {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(storable)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [storableText(name), storable(member)]))
}

function storableText(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '\u2400') : text).toWellFormed()
}
