import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'

/** Answers up to this size are sent whoever asks. */
const smallBytes = 64 * 1024

/** What may be on its way to one caller, and to all who are no owner of the store; one answer may be more than that, if it is alone. */
const ofCallerMax = 64 * 1024 * 1024
const inAllMax = 128 * 1024 * 1024

/** Large answers that were given and not yet taken: whoever asks for much and reads nothing would fill the memory that all share. */
export class Unsent {
  readonly #ofCallers = new Map<string, number>()

  /**
   * Why an answer cannot be sent now, if so. Else it counts until its response is closed. What was done (`isDone`) is answered in any case: it was asked
   * before whether there is room.
   */
  admit(response: ServerResponse, principal: string, bytes: number, isDone = false): Refusal | undefined {
    if (bytes <= smallBytes) return undefined
    const own = this.#ofCallers.get(principal) ?? 0
    const others = this.#total() - own
    const isOwner = principal === 'owner'
    const hasRoom = own === 0 || own + bytes <= ofCallerMax
    const hasRoomInAll = isOwner || own + others === 0 || own + others + bytes <= inAllMax
    if (!isDone && (!hasRoom || !hasRoomInAll)) return tooMuch(hasRoom ? inAllMax : ofCallerMax)
    this.#ofCallers.set(principal, own + bytes)
    response.once('close', () => this.#taken(principal, bytes))
    return undefined
  }

  /** Why nothing large should be asked for or changed now, if so: it is known before it is done. */
  refusalBefore(principal: string): Refusal | undefined {
    if ((this.#ofCallers.get(principal) ?? 0) >= ofCallerMax) return tooMuch(ofCallerMax)
    return principal !== 'owner' && this.#total() >= inAllMax ? tooMuch(inAllMax) : undefined
  }

  #taken(principal: string, bytes: number): void {
    const left = (this.#ofCallers.get(principal) ?? 0) - bytes
    if (left > 0) this.#ofCallers.set(principal, left)
    else this.#ofCallers.delete(principal)
  }

  #total(): number {
    let sum = 0
    for (const bytes of this.#ofCallers.values()) sum += bytes
    return sum
  }
}

/** Cuts off whoever takes nothing of an answer for so long, once that was all handed over. */
export function limitUnread(response: ServerResponse, ms: number): void {
  response.once('prefinish', () => {
    if (response.writableLength > 0) response.socket?.setTimeout(ms)
  })
}

/** Sends an answer piece by piece, each once the one before it has left: what is held for a slow reader is what it was made of, and no copy of it. */
export async function sendPieces(response: ServerResponse, pieces: readonly string[], unreadMs: number): Promise<void> {
  response.socket?.setTimeout(unreadMs)
  for (const piece of pieces) {
    if (response.destroyed) return
    if (!response.write(piece)) await drained(response)
  }
  response.end()
}

/** Until there is room again, or nobody there any more. */
export async function drained(response: ServerResponse): Promise<void> {
  const over = new AbortController()
  const either = (event: string) => once(response, event, { signal: over.signal }).catch(() => undefined)
  await Promise.race([either('drain'), either('close')])
  over.abort()
}

function tooMuch(limit: number): Refusal {
  const message = `Answers of more than ${limit} bytes have not been read yet.`
  const hint = 'Read the answers to earlier requests, then try again; or ask for less at a time.'
  return refuse('busy', message, hint, { limit: 'unsentBytes', limit_value: limit, retry_after: 1 })
}
