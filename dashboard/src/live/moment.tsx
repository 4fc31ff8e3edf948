import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { useAsked } from './asked.ts'
import type { Failure } from './calls.ts'
import { type Keys, readKeys } from './keys.ts'
import { live } from './live.ts'
import { type LiveRoot, readRows } from './live-root.ts'
import type { RootRows } from './root-rows.ts'
import { useSignal } from './signal.ts'

/** A root at the moment that is looked at: now, or after an event. All tabs show this one. */
export interface Moment {
  readonly root: string
  readonly live: LiveRoot
  /** Undefined for now. */
  readonly at: number | undefined
  /** Where the log ends. */
  readonly last: number
  /** Those of that moment once `isThere`; until then those that were shown before. */
  readonly rows: RootRows | undefined
  readonly isThere: boolean
  /** Changes with the rows, which change in place. */
  readonly version: string
  readonly failure: Failure | undefined
}

const Shown = createContext<Moment | undefined>(undefined)

export function MomentOf({ root, at, children }: { root: string; at: number | undefined; children: ReactNode }) {
  const liveRoot = live.root(root)
  const turn = useSignal(liveRoot.signal)
  const past = useAsked(at === undefined ? undefined : `${root} ${at}`, () => readRows(root, at))
  const isPast = at !== undefined
  // Until that moment is read, what was shown before stays: the header says so.
  const rows = isPast ? (past.answer ?? liveRoot.rows) : liveRoot.rows
  const moment = useMemo<Moment>(
    () => ({
      root,
      live: liveRoot,
      at,
      last: liveRoot.rows?.seq ?? at ?? 0,
      rows,
      isThere: !isPast || rows?.seq === at,
      version: isPast ? `${root} ${rows?.seq}` : `${root} now ${turn}`,
      failure: isPast ? past.failure : liveRoot.failure,
    }),
    [root, liveRoot, at, rows, turn, isPast, past.failure],
  )
  return <Shown value={moment}>{children}</Shown>
}

export function useMoment(): Moment {
  const moment = useContext(Shown)
  if (moment === undefined) throw new Error('this is shown outside of a session')
  return moment
}

/** The keys at the moment that is looked at. */
export function useKeys(): { keys: Keys | undefined; failure: Failure | undefined } {
  const { root, at, live: liveRoot } = useMoment()
  useSignal(liveRoot.signal)
  const past = useAsked(at === undefined ? undefined : `${root} ${at}`, () => readKeys(root, at))
  if (at !== undefined) return { keys: past.answer?.keys, failure: past.failure }
  return { keys: liveRoot.rows && liveRoot.keys, failure: liveRoot.failure }
}
