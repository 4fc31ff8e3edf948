import { type Agent, request } from 'node:http'
import { attempt, type Outcome, type Received, type Send, settled, Unsent } from '../../../client/attempt.ts'
import { callerHeaders, type Means } from '../../../client/caller-headers.ts'
import { isRepeatable, named, unanswered } from '../../../client/repeated-call.ts'
import { systemClock } from '../../../clock.ts'
import { CairnRefusal } from '../../../domain/log/refusal.ts'
import type { Answer } from '../../../domain/log/rows.ts'
import { InstallTokenFile } from '../../../home/owner-token.ts'
import type { AnyAnswered } from '../../../operations/operation.ts'
import type { Found } from './found.ts'

type Input = Readonly<Record<string, unknown>>

/** What a server answered; or what to ask of the store itself, since the server is not there, or not any more. */
export type Asked = { readonly answer: Answer } | { readonly input: Input }

/** A change has a name of its own from the start, so that it can be asked of the store if the server is lost over it. */
export async function askServer(
  { home, url }: Found,
  meant: Omit<Means, 'token'>,
  operation: AnyAnswered,
  input: Input,
): Promise<Asked> {
  const headers = callerHeaders({ ...meant, token: new InstallTokenFile(home).text() })
  const repeatable = named(operation, input, systemClock().id)
  const never = new AbortController().signal
  const outcome = await attempt(sending(url, headers), operation.name, JSON.stringify(repeatable), never)
  if (outcome === 'lost' && !isRepeatable(operation)) throw new CairnRefusal(unanswered(repeatable))
  if (typeof outcome === 'string' || isOfServer(outcome)) return { input: repeatable }
  return { answer: settled(outcome) }
}

/** Refusals that are about the server and not about what was asked. */
export function isOfServer(outcome: Outcome): boolean {
  const { refusal } = Object(outcome) as { refusal?: { code: string } }
  return refusal !== undefined && ['unavailable', 'unauthorized', 'host_not_allowed'].includes(refusal.code)
}

/** `fetch` would cost a quarter more of the time a command takes. */
export function sending(url: string, headers: Record<string, string>, agent: Agent | false = false): Send {
  return (operation, body, signal) =>
    new Promise<Received>((resolve, reject) => {
      const length = String(Buffer.byteLength(body))
      const sized = { ...headers, 'content-length': length }
      const options = { method: 'POST', agent, signal, headers: sized } as const
      const asking = request(new URL(`/operations/${operation}`, url), options, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.on('error', reject)
      })
      asking.on('error', (error: NodeJS.ErrnoException) => {
        reject(error.code === 'ECONNREFUSED' ? new Unsent('nobody took the request') : error)
      })
      asking.end(body)
    })
}
