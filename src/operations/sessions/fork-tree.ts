import { isoTime } from '../../domain/log/identity.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { aboutSessions, type ForkFound } from '../../domain/sessions/questions.ts'

/** A fork with its own forks. One that was removed is there as long as there are forks of it, and bears no name any more. */
export type ForkShown = {
  session_id: string | null
  session_name: string | null
  slug: string | null
  status: string
  topic: string | null
  updated_at: string | null
  /** The event that it was forked after. */
  at: number
  forks: ForkShown[]
}

function shown({ id, name, slug, status, topic, updated_at, at }: ForkFound, forks: ForkShown[]): ForkShown {
  return {
    session_id: id,
    session_name: name,
    slug,
    status: status ?? 'removed',
    topic,
    updated_at: updated_at === null ? null : isoTime(updated_at),
    at,
    forks,
  }
}

/** The forks of a root, and of those. */
export function* forksOf(root: number): Asking<ForkShown[]> {
  const all = yield* ask(aboutSessions.forks_below, root)
  const of = (origin: number): ForkShown[] =>
    all.filter((fork) => fork.origin === origin).map((fork) => shown(fork, of(fork.root)))
  return of(root)
}

/** Where a fork came from: without an id once that root was removed. */
export type Origin = { session_id: string | null; at: number }

export function* originOf(root: number): Asking<Origin | undefined> {
  const [origin] = root > 0 ? [] : yield* ask(aboutLog.forked_from, root)
  return origin && { session_id: origin.id, at: origin.at }
}
