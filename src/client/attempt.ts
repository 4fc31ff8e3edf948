import { CairnRefusal, Refusal, type RefusalCode } from '../domain/log/refusal.ts'
import type { Answer } from '../domain/log/rows.ts'

/** What a server sent back. */
export interface Received {
  readonly status: number
  readonly text: string
  /** How long the server, or something in between, wants to be left alone. */
  readonly retryMs?: number | undefined
}

/** Sends one call of an operation. Throws `Unsent` where surely nothing of it arrived; whatever else is thrown, nobody knows. */
export type Send = (operation: string, body: string, signal: AbortSignal) => Promise<Received>

/** Nobody took the request. */
export class Unsent extends Error {}

/** Where the platform says that nobody took the connection, surely nothing was sent. */
const unsentCodes: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

export function isUnsent(code: string | undefined): boolean {
  return unsentCodes.includes(code)
}

/** And where a connection ends in the middle, the one that it was made with is gone. */
const cutOffCodes: readonly unknown[] = [...unsentCodes, 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

export function isCutOff(code: string | undefined): boolean {
  return cutOffCodes.includes(code)
}

/** What the platform says was wrong with a connection of `fetch`. */
export function causeOf(error: unknown): string | undefined {
  return (((error as Error | undefined)?.cause ?? {}) as { code?: string }).code
}

/** What became of one attempt: the answer, the refusal of the server, or neither. */
export type Outcome = { readonly answer: Answer } | { readonly refusal: Refusal } | 'unsent' | 'lost'

/** What the header `Retry-After` says. */
export function retryMsOf(seconds: string | null | undefined): number | undefined {
  return /^\d{1,6}$/.test(seconds ?? '') ? Number(seconds) * 1000 : undefined
}

export async function attempt(send: Send, operation: string, body: string, signal: AbortSignal): Promise<Outcome> {
  try {
    return outcomeOf(await send(operation, body, signal))
  } catch (error) {
    return error instanceof Unsent ? 'unsent' : 'lost'
  }
}

export function outcomeOf({ status, text }: Received): Outcome {
  const body = parsed(text)
  if (status >= 200 && status < 300 && body !== undefined) return { answer: body as Answer }
  // What is no answer of ours comes from something in between, such as a proxy that lost the server.
  if (typeof body?.error !== 'string') return 'lost'
  return { refusal: refusalOf(body) }
}

/** A refusal out of the body that every surface shows. */
export function refusalOf({ error, message, hint, ...details }: Record<string, unknown>): Refusal {
  return new Refusal(error as RefusalCode, String(message), String(hint), details as Refusal['details'])
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** The answer, or the refusal thrown. */
export function settled(outcome: Exclude<Outcome, string>): Answer {
  if ('refusal' in outcome) throw new CairnRefusal(outcome.refusal)
  return outcome.answer
}
