import type { LocalPerformer } from '../../../client/local.ts'
import { withUnit } from '../../../domain/log/duration.ts'
import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import type { Answer } from '../../../domain/log/rows.ts'
import { destinationHere } from '../../../home/destination.ts'
import { actorHere, meantHere } from '../../../home/session-meant.ts'
import { waitUsual } from '../../../operations/timeout.ts'
import { printJson, printOut } from '../output.ts'
import type { Request } from '../request.ts'
import { usageError } from '../usage.ts'
import type { Around } from '../views/view.ts'

/** Asks what a command line asks for, and shows the answer. */
export async function ask(request: Request, json: boolean): Promise<number> {
  const { operation, own } = request
  if (json && own.has('raw')) throw usageError('--raw and --json cannot be combined.', 'Leave one of them out.')
  if (operation.name === 'store.doctor' && request.input.repair === true) await closeToken(request)
  const performer = await performerFor(request)
  const close = () => performer.close()
  if (operation.kind === 'stream' || own.has('follow')) {
    return follow(request, performer, json).finally(close)
  }
  // The store is closed before an answer is shown: what goes wrong then is said instead of it, not after it.
  const text = await answered(request, performer, json).finally(close)
  return text()
}

/** Gives what is left to do when the store is closed: to show the answer. */
async function answered(request: Request, performer: LocalPerformer, json: boolean): Promise<() => number> {
  const { operation, input } = request
  if (operation.kind === 'stream') throw new Error('a stream is followed')
  const whole = await completed(request, performer, json)
  const answer = await performer.execute(operation, whole)
  if (operation.name === 'log.wait') refuseLate(answer, input.timeout)
  // An answer that says that all is not well is no refusal, but a script must see it.
  const exit = answer.ok === false ? 1 : 0
  const print = json ? () => printJson(answer) : await viewOf(request, performer, answer)
  return () => {
    print()
    return exit
  }
}

async function follow({ operation, input }: Request, performer: LocalPerformer, json: boolean): Promise<number> {
  const { followLog, printEvents } = await import('./event-lines.ts')
  return operation.kind === 'stream'
    ? printEvents(performer, operation, input, json)
    : followLog(performer, input, json)
}

async function viewOf({ operation, input, own }: Request, performer: LocalPerformer, answer: Answer) {
  const { callsByName, rawView, view } = await import('../views/index.ts')
  const session = typeof input.session === 'string' ? input.session : undefined
  const { SessionNames } = await import('./session-names.ts')
  const names = new SessionNames(performer, session)
  if (callsByName(operation.name)) await names.load()
  const around: Around = { session, nameOf: (id) => names.nameOf(id) }
  const text = own.has('raw') ? rawView(answer, around) : view(operation.name, answer, around)
  return () => printOut(text)
}

/** The input with what only this side knows. */
async function completed(request: Request, performer: LocalPerformer, json: boolean): Promise<Request['input']> {
  const { operation, input } = request
  if (operation.name === 'session.end') return withSession(input, performer)
  if (operation.name !== 'context.append') return forPeople(request, json)
  const { sentMessage } = await import('./context-message.ts')
  return sentMessage(input, performer)
}

/** People read a transcript; programs get the messages in the form of their provider. */
function forPeople({ operation, input }: Request, json: boolean): Request['input'] {
  return operation.name === 'context.show' && !json && input.format === undefined ? { ...input, format: 'text' } : input
}

/** Where no session is named, one is asked for: the one that is meant here may be all of the work. */
async function withSession(input: Request['input'], performer: LocalPerformer): Promise<Request['input']> {
  if (input.session !== undefined) return input
  const { chooseSession } = await import('./chosen-session.ts')
  return { ...input, session: await chooseSession(performer) }
}

/** The answer of a wait that ended without an event is an empty page; a script must see that, as of `state wait`. */
function refuseLate({ events, last_seq }: Answer, timeout: unknown): void {
  if ((events as unknown[]).length > 0) return
  const message = `Timed out after ${withUnit(String(timeout ?? waitUsual))}: nothing happened after ${last_seq}.`
  throw new CairnRefusal(
    refuse('timeout', message, `Wait again with --since ${last_seq}.`, { last_seq: last_seq ?? 0 }),
  )
}

/** Whoever asks a server needs the token, and one that others can read is not used: it is made private before. */
async function closeToken({ home, store }: Request): Promise<void> {
  const { closeOpenToken } = await import('./open-token.ts')
  closeOpenToken(destinationHere({ home, store }))
}

/** Loaded only by commands that ask something. */
export async function performerFor(place: Pick<Request, 'home' | 'store'>): Promise<LocalPerformer> {
  const { LocalPerformer } = await import('../../../client/local.ts')
  const meant = { ...meantHere(), actor: actorHere() }
  const { home, store } = place
  return new LocalPerformer({ ...destinationHere({ home, store }), meant, waits: 'blocking' })
}
