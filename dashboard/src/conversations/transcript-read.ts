import { useEffect, useRef } from 'react'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import type { Entry } from './entries.ts'

/** These change what is visible of earlier messages. */
const changing = ['context_rewound', 'context_compacted', 'context_copied']

interface Read {
  readonly of: string
  readonly version: number
  readonly entries: readonly Entry[]
}

/** The conversation of a session; of one that grows only what is new is read. */
export function useTranscript(session: string, at: number | undefined, version: number) {
  const of = `${session} ${at}`
  const known = useRef<Read | undefined>(undefined)
  const before = known.current?.of === of ? known.current : undefined
  const asked = useAsked(`${of} ${version}`, async (): Promise<Read> => {
    const moment = at === undefined ? {} : { at }
    const wanted = { session, format: 'raw' as const, all: true, ...moment }
    if (before !== undefined && before.version < version && at === undefined) {
      const news = await cairn.context.show({ ...wanted, since: before.version })
      const entries = news.messages as unknown as Entry[]
      if (!entries.some(({ type }) => changing.includes(type))) {
        return { of, version: news.last_sequence, entries: [...before.entries, ...entries] }
      }
    }
    const all = await cairn.context.show(wanted)
    return { of, version: all.last_sequence, entries: all.messages as unknown as Entry[] }
  })
  useEffect(() => {
    if (asked.answer !== undefined) known.current = asked.answer
  }, [asked.answer])
  return { entries: asked.answer?.of === of ? asked.answer.entries : undefined, failure: asked.failure }
}
