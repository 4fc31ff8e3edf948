import { LocalPerformer } from '../../../client/local.ts'
import type { Answer } from '../../../domain/log/rows.ts'
import { destinationHere } from '../../../home/destination.ts'
import { actorHere, meantHere } from '../../../home/session-meant.ts'
import { printJson, printOut } from '../output.ts'
import type { Asked } from '../registry/presentation.ts'
import { presentationOf } from '../registry/presentations.ts'
import type { Request } from '../request.ts'
import { terminalOf } from '../terminal.ts'
import { SessionNames } from './session-names.ts'

/** Asks what a command line asks for, and shows the answer. */
export async function ask(request: Request, json: boolean): Promise<number> {
  const performer = performerFor(request)
  const asked: Asked = { request, performer, json }
  const close = () => performer.close()
  if (isFollowed(request)) return follow(asked).finally(close)
  // The store is closed before an answer is shown: what goes wrong then is said instead of it, not after it.
  const show = await answered(asked).finally(close)
  return show()
}

function isFollowed({ operation, own }: Request): boolean {
  return operation.kind === 'stream' || own.has('follow')
}

async function follow(asked: Asked): Promise<number> {
  const { operation } = asked.request
  if (operation.kind !== 'stream') return presentationOf(operation.name).follow?.(asked) ?? 0
  const { printEvents } = await import('./event-lines.ts')
  return printEvents(operation, asked)
}

/** Gives what is left to do when the store is closed: to show the answer. */
async function answered(asked: Asked): Promise<() => number> {
  const { request, performer, json } = asked
  const { operation } = request
  if (operation.kind === 'stream') throw new Error('a stream is followed')
  const { prepare, perform, check } = presentationOf(operation.name)
  const input = (await prepare?.(asked)) ?? request.input
  const answer = await (perform?.(asked, input) ?? performer.execute(operation, input))
  await check?.(answer, input)
  const text = json ? undefined : await textOf(asked, answer)
  return () => {
    if (text === undefined) printJson(answer)
    else printOut(text)
    // An answer that says that all is not well is no refusal, but a script must see it.
    return answer.ok === false ? 1 : 0
  }
}

async function textOf({ request, performer }: Asked, answer: Answer): Promise<string> {
  const { operation, input, own } = request
  const { view, callsByName } = presentationOf(operation.name)
  const session = typeof input.session === 'string' ? input.session : undefined
  const names = new SessionNames(performer, session)
  if (callsByName) await names.load()
  const show = view === undefined ? (await import('../views/fields.ts')).fields : await view()
  return show(answer as never, terminalOf(1), { session, own, nameOf: (id) => names.nameOf(id) })
}

/** Whoever answers the commands of this process. */
export function performerFor({ home, store }: Pick<Request, 'home' | 'store'>): LocalPerformer {
  const meant = { ...meantHere(), actor: actorHere() }
  return new LocalPerformer({ ...destinationHere({ home, store }), meant, waits: 'blocking' })
}
