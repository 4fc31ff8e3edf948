import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { CairnRefusal, type RefusalCode, refuse } from '../../domain/log/refusal.ts'

let stdinIsRead = false

function refusal(code: RefusalCode, message: string, hint: string): CairnRefusal {
  return new CairnRefusal(refuse(code, message, hint))
}

/** All of a file, a named pipe or standard input (`-`) as text, of so many bytes at most. */
export async function readSource(source: string, bytesMax: number): Promise<string> {
  if (source !== '-') return readText(createReadStream(source), source, bytesMax)
  if (stdinIsRead) throw refusal('usage', 'Standard input can be read only once.', 'Give one of the values as @FILE.')
  stdinIsRead = true
  return readText(process.stdin, 'standard input', bytesMax)
}

async function readText(stream: Readable, name: string, bytesMax: number): Promise<string> {
  const bytes = await readBytes(stream, name, bytesMax)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refusal('invalid_input', `${name} is not UTF-8 text.`, 'Save it as UTF-8; send binary data as base64.')
  }
}

async function readBytes(stream: Readable, name: string, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > bytesMax) throw tooLarge(name, bytesMax)
    }
  } catch (error) {
    if (error instanceof CairnRefusal) throw error
    throw unreadable(error, name, 'Check the path; a value that begins with @ names a file.')
  }
  return Buffer.concat(chunks)
}

function tooLarge(name: string, bytesMax: number): CairnRefusal {
  const message = `${name} has more than ${bytesMax} bytes, the limit requestBytes.`
  return refusal('payload_too_large', message, 'Split it across several keys or batches.')
}

/** Of a file that cannot be read, why. */
export function unreadable(error: unknown, name: string, checking = 'Check the path.'): CairnRefusal {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return refusal('not_found', `There is no file ${name}.`, checking)
  if (code === 'EISDIR') return refusal('invalid_input', `${name} is a folder.`, 'Name a file in it.')
  return refusal('invalid_input', `${name} cannot be read (${code ?? 'unknown error'}).`, 'Check its owner and mode.')
}
