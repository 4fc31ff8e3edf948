import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import type { Answer } from '../../../domain/log/rows.ts'
import type { Json } from '../../../json/value.ts'
import { operations } from '../../../operations/index.ts'
import type { AnyAnswered } from '../../../operations/operation.ts'
import { etag, isKnown } from './etags.ts'
import { writeIf } from './preconditions.ts'
import { type Input, inputOf, type Said } from './request-input.ts'
import type { Route } from './routes.ts'

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json | undefined
}

export type Execute = (operation: AnyAnswered, input: Input) => Promise<Answer>

/** One request for one operation: translated, executed, and its answer translated back. Throws `CairnRefusal`. */
export async function call(route: Route, said: Said, execute: Execute): Promise<Reply> {
  const input = inputOf(route, said)
  if (input instanceof Refusal) throw new CairnRefusal(input)
  const perform = (asked: Input) => execute(route.does, asked)
  if (route.method === 'GET') return replyToRead(route, said, await perform(input))
  const answer = await (route.etag ? writeIf(route, input, said.headers, perform) : perform(input))
  return replyTo(route, route.shows === 'document' ? await withDocument(answer, input, execute) : answer)
}

/** The members of the whole document that a write shows beside what it touched. */
export const documentMembers = ['state', 'updated_at'] as const

/** Before the first write there is no document to be read, and a patch that changes nothing makes none. */
const noDocument: Answer = { state: {}, updated_at: null }

async function withDocument(answer: Answer, { session }: Input, execute: Execute): Promise<Answer> {
  const whole = answer.version === 0 ? noDocument : await execute(operations.state.all, { session, at: answer.seq })
  return { ...answer, ...Object.fromEntries(documentMembers.map((name) => [name, whole[name] as Json])) }
}

function replyToRead(route: Route, { headers }: Said, answer: Answer): Reply {
  const version = versionOf(route, answer)
  // One who waits has been told to wait for something else than what it knows.
  const known = version === undefined || route.does.kind === 'wait' ? false : isKnown(headers, version)
  if (known instanceof Refusal) throw new CairnRefusal(known)
  if (known) return { status: 304, headers: { etag: etag(version as number) } }
  return replyTo(route, answer)
}

function replyTo(route: Route, answer: Answer): Reply {
  const status = route.status ?? 200
  const version = versionOf(route, answer)
  const headers = version === undefined ? {} : { etag: etag(version) }
  return status === 204 ? { status, headers } : { status, headers, body: answer as Json }
}

/** The version that is the ETag of an answer. */
function versionOf(route: Route, { version }: Answer): number | undefined {
  return route.etag && typeof version === 'number' ? version : undefined
}

/** Of several operations behind one method and path, the one that the request chooses. */
export function chosen(
  all: readonly Route[],
  query: URLSearchParams,
  type: string,
  body: Json | undefined,
): Route | Refusal {
  const asked = all.find(({ given }) => given !== undefined && query.has(given))
  if (asked !== undefined) return asked
  const also = all.find(({ alsoGiven }) => alsoGiven !== undefined && query.has(alsoGiven.name))
  if (also !== undefined) return { ...also, defaults: also.alsoGiven?.defaults ?? {} }
  const routes = all.filter(({ given }) => given === undefined)
  const typed = routes.filter((route) => route.type !== undefined)
  const isPlain = type === 'application/json' || type === ''
  // Plain JSON is taken for the only, or the first, kind of patch there is.
  const found = typed.find((route) => route.type === type) ?? (isPlain ? (typed[0] ?? byWord(routes, body)) : undefined)
  if (found !== undefined) return found
  const types = typed.length === 0 ? ['application/json'] : typed.map((route) => route.type)
  return refuse('unsupported_media_type', `${type} is not supported here.`, `Send it as ${types.join(' or ')}.`)
}

function byWord(routes: readonly Route[], body: Json | undefined): Route | Refusal {
  const [first] = routes as readonly [Route]
  if (first.when === undefined) return first
  const word = typeof body === 'object' && body !== null && 'operation' in body ? body.operation : undefined
  const words = routes.map(({ when }) => when).join(', ')
  const found = routes.find(({ when }) => when === word)
  return found ?? refuse('invalid_input', `operation must be one of ${words}.`, 'Choose one.', { path: 'operation' })
}
