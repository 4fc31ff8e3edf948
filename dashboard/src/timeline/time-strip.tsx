import { type PointerEvent, useMemo, useRef } from 'react'
import { show } from '../address/navigation.tsx'
import { useMoment } from '../live/moment.tsx'
import { plain } from '../parts/text.tsx'
import { exact } from '../parts/time.tsx'
import { PlayControls } from './play-controls.tsx'
import { type Mark, type Time, useMarks, useTimes } from './strip-data.ts'

const height = 32

/** The whole log on one axis, with the playhead that rules all tabs. */
export function TimeStrip() {
  const { at, last, rows } = useMoment()
  const times = useTimes()
  const marks = useMarks()
  const track = useRef<HTMLDivElement>(null)
  const here = at ?? last
  const seqAt = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect()
    const share = box === undefined ? 1 : (event.clientX - box.left) / box.width
    return Math.max(1, Math.min(last, Math.round(share * (last - 1)) + 1))
  }
  const move = (event: PointerEvent) => {
    const seq = seqAt(event)
    show({ at: seq === last ? undefined : seq })
  }
  return (
    <section className={`strip ${at === undefined ? '' : 'past'}`} aria-label="Time">
      <PlayControls />
      <div
        ref={track}
        className="strip-track"
        role="slider"
        tabIndex={0}
        aria-label="Moment"
        aria-valuemin={1}
        aria-valuemax={last}
        aria-valuenow={here}
        aria-valuetext={at === undefined ? `now, event ${last}` : `event ${here} of ${last}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          move(event)
        }}
        onPointerMove={(event) => event.buttons === 1 && move(event)}
        onKeyDown={(event) => {
          const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: 1 - here, End: last - here }
          const step = steps[event.key as keyof typeof steps]
          if (step === undefined) return
          event.preventDefault()
          stepBy(step, here, last)
        }}
      >
        <Density times={times} last={last} />
        {marks.map((mark) => (
          <StripMark key={`${mark.seq} ${mark.title}`} mark={mark} last={last} />
        ))}
        <span className="playhead" style={{ left: `${shareOf(here, last) * 100}%` }} />
      </div>
      <p className="strip-words">
        {at === undefined ? <strong>Live</strong> : <strong>Event {at}</strong>}
        <span className="faint"> of {last}</span>
        <span className="faint strip-time">{timeOf(times, here, rows?.seq)}</span>
      </p>
    </section>
  )
}

/** Past the end is now. */
export function stepBy(step: number, here: number, last: number): void {
  const next = Math.max(1, here + step)
  show({ at: next >= last ? undefined : next })
}

function shareOf(seq: number, last: number): number {
  return last <= 1 ? 1 : (seq - 1) / (last - 1)
}

function timeOf(times: readonly Time[], seq: number, _shown: number | undefined): string {
  const found = times.findLast((time) => time.seq <= seq)
  return found === undefined ? '' : exact(found.at).slice(0, 19)
}

/** High where much happened in a short time. */
function Density({ times, last }: { times: readonly Time[]; last: number }) {
  const bars = useMemo(() => barsOf(times), [times])
  return (
    <svg
      className="density"
      viewBox={`0 0 ${Math.max(1, last - 1)} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {bars.map(({ from, upto, tall }) => (
        <rect key={from} x={from - 1} width={upto - from} y={height - tall} height={tall} />
      ))}
    </svg>
  )
}

function barsOf(times: readonly Time[]) {
  const stretches = times.slice(1).map((time, at) => {
    const before = times[at] as Time
    const ms = Math.max(1, Date.parse(time.at) - Date.parse(before.at))
    return { from: before.seq, upto: time.seq, rate: Math.log1p(((time.seq - before.seq) / ms) * 60_000) }
  })
  const most = Math.max(1, ...stretches.map(({ rate }) => rate))
  return stretches.map(({ from, upto, rate }) => ({ from, upto, tall: 2 + (rate / most) * (height - 10) }))
}

function StripMark({ mark: { seq, look, title }, last }: { mark: Mark; last: number }) {
  return (
    <span
      className={`strip-mark mark-${look}`}
      style={{ left: `${shareOf(seq, last) * 100}%` }}
      title={plain(`event ${seq}: ${title}`)}
    />
  )
}
