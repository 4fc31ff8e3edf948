import { basename } from 'node:path'
import { LocalPerformer } from '../../../client/local.ts'
import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import { destinationHere, hasStore } from '../../../home/destination.ts'
import { actorHere, meantHere } from '../../../home/session-meant.ts'
import { operations } from '../../../operations/index.ts'
import type { StorePlace } from '../mcp/reached-server.ts'

/** The session that agents of a project work in. */
export interface ProjectSession {
  readonly session_id: string
  readonly slug: string
}

const ended = ['completed', 'failed', 'cancelled', 'skipped']

/** Undefined where the project has none yet. Refuses where it cannot be told which one is meant, or where it has ended. */
export async function findSession(place: StorePlace): Promise<ProjectSession | undefined> {
  if (!hasStore(destinationHere(place))) return undefined
  return asking(place, async (performer) => {
    try {
      const { session_id, slug, status } = await performer.execute(operations.session.show, {})
      if (!ended.includes(String(status))) return { session_id: String(session_id), slug: String(slug) }
      const hint =
        'Choose another with `cairn use ID`, or create one: cairn session create --topic "…". Nothing was changed.'
      throw new CairnRefusal(
        refuse('session_ended', `The session of this project, ${slug}, has ended (${status}).`, hint),
      )
    } catch (error) {
      if (error instanceof CairnRefusal && error.code === 'no_session') return undefined
      throw error
    }
  })
}

/** A root named after the folder. */
export function createSession(place: StorePlace, project: string): Promise<ProjectSession> {
  return asking(place, async (performer) => {
    const wanted = { topic: basename(project) || 'work', project }
    const { session_id, slug } = await performer.execute(operations.session.create, wanted)
    return { session_id: String(session_id), slug: String(slug) }
  })
}

async function asking<Out>(place: StorePlace, ask: (performer: LocalPerformer) => Promise<Out>): Promise<Out> {
  const meant = { ...meantHere(), actor: actorHere() }
  const performer = new LocalPerformer({ ...destinationHere(place), meant, waits: 'blocking' })
  return ask(performer).finally(() => performer.close())
}
