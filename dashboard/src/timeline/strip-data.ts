import { useEffect, useRef } from 'react'
import type { FeedEvent } from '../../../src/domain/log/event.ts'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'

export interface Time {
  readonly seq: number
  readonly at: string
}

/** What stands out on the strip: a colour and a word each. */
export interface Mark {
  readonly seq: number
  readonly look: 'bad' | 'decision' | 'checkpoint' | 'need'
  readonly title: string
}

const points = 160
/** What is marked is looked for in so many answers at most. */
const answersMax = 20

const marked: Readonly<Record<string, (data: { [member: string]: unknown }) => Omit<Mark, 'seq'> | undefined>> = {
  run_ended: ({ how }) => (how === 'completed' ? undefined : { look: 'bad', title: `a run ${how}` }),
  status_changed: ({ to }) => (to === 'failed' ? { look: 'bad', title: 'failed' } : undefined),
  decision_made: ({ text }) => ({ look: 'decision', title: `decided: ${text}` }),
  blocker_identified: ({ text }) => ({ look: 'bad', title: `blocked: ${text}` }),
  need_raised: ({ text }) => ({ look: 'need', title: `needs you: ${text}` }),
  checkpoint_taken: ({ why }) => ({ look: 'checkpoint', title: `checkpoint: ${why}` }),
  checkpoint_completed: () => ({ look: 'checkpoint', title: 'build checkpoint completed' }),
  context_compacted: () => ({ look: 'checkpoint', title: 'a conversation was compacted' }),
  context_rewound: () => ({ look: 'checkpoint', title: 'a conversation was rewound' }),
}

/** The times of the log, read again when it has grown by a tenth. */
export function useTimes(): readonly Time[] {
  const { root, last } = useMoment()
  const grown = last < 20 ? last : Math.floor(Math.log(last) / Math.log(1.1))
  const { answer } = useAsked(last === 0 ? undefined : `${root} times ${grown}`, () =>
    cairn.log.times({ session: root, points }),
  )
  return (answer?.times ?? []) as readonly Time[]
}

function markOf({ seq, type, data }: Pick<FeedEvent, 'seq' | 'type' | 'data'>): Mark[] {
  const mark = data === null ? undefined : marked[type]?.(data as { [member: string]: unknown })
  return mark === undefined ? [] : [{ ...mark, seq }]
}

/** What is marked from the beginning on; what comes later is added as it is read. */
export function useMarks(): readonly Mark[] {
  const { root, last } = useMoment()
  const known = useRef({ root, upto: 0, marks: [] as Mark[] })
  if (known.current.root !== root) known.current = { root, upto: 0, marks: [] }
  const grown = Math.floor(last / 10)
  const { answer } = useAsked(last === 0 ? undefined : `${root} marks ${grown}`, async () => {
    const { upto, marks } = known.current
    const found: Mark[] = []
    let since = upto
    for (let answers = 0; answers < answersMax; answers++) {
      const type = Object.keys(marked).join(',')
      const page = await cairn.log.wait({ session: root, since, type, timeout: '0', limit: 500 })
      found.push(...(page.events as unknown as FeedEvent[]).flatMap(markOf))
      since = Number(page.next_since ?? page.last_seq)
      if (!page.has_more) break
    }
    return { root, upto: since, marks: [...marks, ...found] }
  })
  useEffect(() => {
    if (answer !== undefined && answer.root === known.current.root) known.current = answer
  }, [answer])
  return answer?.root === root ? answer.marks : []
}
