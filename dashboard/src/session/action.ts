import { useEffect, useState } from 'react'
import { type Failure, failureOf } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'

interface Answered {
  readonly seq?: number | undefined
}

/** Something that is done to the session: pending until the feed has brought what it made. */
export function useAction() {
  const { live } = useMoment()
  const [pending, setPending] = useState<'asked' | { readonly seq: number }>()
  const [failure, setFailure] = useState<Failure>()
  const seen = live.rows?.seq ?? 0
  useEffect(() => {
    if (typeof pending === 'object' && pending.seq <= seen) setPending(undefined)
  }, [pending, seen])
  const run = async (ask: () => Promise<object>) => {
    setFailure(undefined)
    setPending('asked')
    try {
      const { seq = 0 } = (await ask()) as Answered
      setPending({ seq })
      return true
    } catch (error) {
      setFailure(failureOf(error))
      setPending(undefined)
      return false
    }
  }
  return { run, failure, isPending: pending !== undefined, forget: () => setFailure(undefined) }
}
