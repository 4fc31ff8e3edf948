import { writeSync } from 'node:fs'
import { sleepBlocking } from '../../clock.ts'

const stdout = 1
const stderr = 2

/** How long to wait for a reader that is slower than we are, on a pipe that does not wait by itself. */
const fullPipeMs = 2

/** Control characters, and those that hide text or turn its direction: a terminal would obey them. */
const unsafe = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

/** The text with everything that a terminal would obey shown as `\u001b`. Within JSON it stays the same JSON. */
export function safe(text: string): string {
  return text.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Text of several lines: line breaks stay. */
export function safeLines(text: string): string {
  return text.split('\n').map(safe).join('\n')
}

/** False when nobody reads it any more. */
export function printOut(text: string): boolean {
  return write(stdout, text)
}

export function printNote(text: string): void {
  write(stderr, text)
}

/** False when nobody reads it any more. */
export function printJson(document: unknown): boolean {
  return write(stdout, `${safe(JSON.stringify(document))}\n`)
}

/** Written at once, so that the process may end at any time after it. A reader that went away is no fault of ours. */
function write(to: number, text: string): boolean {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(to, bytes, at)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') return false
      if (code !== 'EAGAIN') throw error
      sleepBlocking(fullPipeMs)
    }
  }
  return true
}
