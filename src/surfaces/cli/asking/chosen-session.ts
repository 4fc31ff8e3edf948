import type { LocalPerformer } from '../../../client/local.ts'
import { hasEnded } from '../../../domain/sessions/lifecycle.ts'
import { operations } from '../../../operations/index.ts'
import { printNote, safe } from '../output.ts'
import type { Asked } from '../registry/presentation.ts'
import type { Request } from '../request.ts'
import { usageError } from '../usage.ts'
import { shortId } from '../views/view.ts'
import { askOnTerminal, canAsk } from './terminal-question.ts'

interface Open {
  readonly session_id: string
  readonly session_name: string
  readonly status: string
  readonly topic: string
  readonly children?: readonly Open[]
}

/** Where no session is named, one is asked for: the one that is meant here may be all of the work. */
export async function withSession({ request: { input }, performer }: Asked): Promise<Request['input']> {
  return input.session === undefined ? { ...input, session: await chooseSession(performer) } : input
}

/** The session to end, chosen on a terminal: what ends by mistake does not come back. */
async function chooseSession(performer: LocalPerformer): Promise<string> {
  const usage = 'Usage: cairn session end ID [--status completed|failed|cancelled] [--reason TEXT]'
  if (!canAsk()) throw usageError('ID is missing: the session to end.', usage)
  const open = await openSessions(performer)
  if (open.length === 0) throw usageError('There is no open session to end.', 'List all with cairn ls -a.')
  for (const [at, each] of open.entries()) {
    printNote(
      `${String(at + 1).padStart(3)}  ${shortId(each.session_id)}  ${safe(each.session_name)}: ${safe(each.topic)}\n`,
    )
  }
  const answer = await askOnTerminal(`End which session, with all below it? [1-${open.length}, Enter for none] `)
  const chosen = /^[1-9]\d*$/.test(answer) ? open[Number(answer) - 1] : undefined
  if (chosen === undefined) throw usageError('No session was chosen; nothing was ended.', usage)
  return chosen.session_id
}

/** Those of the root that is meant here, or the roots where none is. */
async function openSessions(performer: LocalPerformer): Promise<Open[]> {
  const tree = await performer.execute(operations.session.tree, {}).catch(() => undefined)
  if (tree !== undefined) return unfinished([tree])
  const { sessions } = await performer.execute(operations.session.list, {})
  return unfinished(sessions)
}

function unfinished(sessions: readonly Open[]): Open[] {
  return sessions.flatMap((each) => [...(hasEnded(each.status) ? [] : [each]), ...unfinished(each.children ?? [])])
}
