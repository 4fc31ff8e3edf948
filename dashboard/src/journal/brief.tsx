import { useState } from 'react'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'
import { AsCommand, atFlag } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Failed, Waiting } from '../parts/notice.tsx'
import { LongText } from '../parts/text.tsx'

/** What an agent that goes on from here would be told, with what it costs in tokens. */
export function Brief() {
  const { root, at, last } = useMoment()
  const [asked, setAsked] = useState<number>()
  const moment = at ?? asked
  const read = useAsked(asked === undefined ? undefined : `${root} brief ${moment}`, () =>
    cairn.journal.brief({ session: root, ...(moment === undefined ? {} : { at: moment }) }),
  )
  return (
    <section aria-label="Brief">
      <div className="section-head">
        <h2>Brief</h2>
        {read.answer !== undefined && <span className="faint">{String(read.answer.tokens)} tokens</span>}
        <button type="button" onClick={() => setAsked(last)}>
          {asked === undefined ? 'Show it as an agent would get it' : 'As of now'}
        </button>
        <AsCommand words={['brief', '--session', shortId(root), ...atFlag(at)]} />
      </div>
      {read.failure !== undefined && <Failed failure={read.failure} again={read.again} />}
      {asked !== undefined && read.answer === undefined && read.failure === undefined && <Waiting what="the brief" />}
      {read.answer !== undefined && <LongText text={String(read.answer.text)} />}
    </section>
  )
}
