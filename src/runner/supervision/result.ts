import { hash } from 'node:crypto'
import { redactMessage } from '../../domain/conversations/redaction.ts'
import { redactValues, type SecretValue } from '../../domain/conversations/secret-values.ts'
import type { AgentResult } from '../../domain/workflow/facts.ts'
import { resultCharsMax } from '../../domain/workflow/members.ts'
import { readPlain } from '../processes/own-files.ts'
import type { RunFolder } from '../processes/run-folder.ts'
import type { Ground } from './ground.ts'

/** Of a result that stands in a blob, dependants are shown so much. */
const shownBytesMax = 64 * 1024
const reasonCharsMax = 1000

/** A text that can be recorded: without secrets, half characters and what no store keeps. */
export function recordable(text: string, secrets: readonly SecretValue[]): string {
  const known = redactValues(text.toWellFormed().replaceAll('\0', ''), secrets).value
  return String(redactMessage({ text: known }).message.text)
}

export function reasonText(text: string, secrets: readonly SecretValue[]): string {
  return recordable(text.slice(0, reasonCharsMax), secrets)
}

/**
 * What an agent has left: what is in the file for its result, or what it said instead. Undefined where that is nothing. What is too
 * long for an event is kept as a blob; beyond what a blob may hold it is cut, and says so.
 */
export async function resultLeft(
  ground: Ground,
  root: string,
  folder: RunFolder,
  said: string | undefined,
  secrets: readonly SecretValue[],
): Promise<AgentResult | undefined> {
  const { log, caller } = ground
  const written = readPlain(folder.file('result'), log.blobs.bytesMax)
  const text = written === undefined || written.size === 0 ? said : textIn(written)
  if (text === undefined || text === '') return undefined
  const clean = recordable(text, secrets)
  const bytes = Buffer.from(clean)
  const digest = hash('sha256', bytes, 'hex')
  if (clean.length <= resultCharsMax) return { text: clean, bytes: bytes.length, digest }
  const blob = await log.blobs.put({ session: root, content: bytes }, caller)
  return { blob: blob.hash, bytes: bytes.length, digest }
}

function textIn({ bytes, size }: { bytes: Buffer; size: number }): string {
  const left = size - bytes.length
  const marker = left > 0 ? `\n[… ${left} bytes cut]` : ''
  return bytes.subarray(0, bytes.length - Buffer.byteLength(marker)).toString('utf8') + marker
}

/** The text of a result, as far as it is shown, and how many bytes more there are. */
export async function resultText(
  { log, caller }: Ground,
  root: string,
  result: AgentResult | undefined,
): Promise<{ text: string; cut: number }> {
  if (result?.blob === undefined) return { text: result?.text ?? '', cut: 0 }
  const found = await log.blobs.get(root, result.blob, caller)
  const chunks: Uint8Array[] = []
  for await (const chunk of found.chunks(0, Math.min(found.bytes, shownBytesMax))) chunks.push(chunk)
  return { text: Buffer.concat(chunks).toString('utf8'), cut: Math.max(0, found.bytes - shownBytesMax) }
}
