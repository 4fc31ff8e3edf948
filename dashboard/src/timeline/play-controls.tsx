import { useEffect, useState } from 'react'
import { show } from '../address/navigation.tsx'
import { useMoment } from '../live/moment.tsx'
import { listenToKeys } from '../shell/keys.ts'
import { stepBy } from './time-strip.tsx'

/** Events a second. */
const speeds = [1, 4, 16] as const

/** Play, step, speed; and back to now. */
export function PlayControls() {
  const { at, last, isThere } = useMoment()
  const [isPlaying, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<number>(4)
  const here = at ?? last
  useEffect(() => {
    if (!isPlaying || !isThere) return
    if (at === undefined) {
      setPlaying(false)
      return
    }
    const timer = setTimeout(() => stepBy(1, at, last), 1000 / speed)
    return () => clearTimeout(timer)
  }, [isPlaying, isThere, at, last, speed])
  const play = () => {
    if (!isPlaying && at === undefined) show({ at: 1 })
    setPlaying(!isPlaying)
  }
  useEffect(() =>
    listenToKeys({
      '[': () => stepBy(-1, here, last),
      ']': () => stepBy(1, here, last),
      ' ': play,
      l: () => show({ at: undefined }),
    }),
  )
  return (
    <div className="play">
      <button type="button" onClick={() => stepBy(-1, here, last)} aria-label="Step back" title="Step back  [">
        ◂
      </button>
      <button
        type="button"
        onClick={play}
        aria-pressed={isPlaying}
        aria-label={isPlaying ? 'Stop' : 'Play'}
        title="Play  Space"
      >
        {isPlaying ? '❚❚' : '▶'}
      </button>
      <button
        type="button"
        onClick={() => stepBy(1, here, last)}
        aria-label="Step forward"
        title="Step forward  ]"
        disabled={at === undefined}
      >
        ▸
      </button>
      <select aria-label="Speed" value={speed} onChange={({ target }) => setSpeed(Number(target.value))}>
        {speeds.map((each) => (
          <option key={each} value={each}>
            {each}/s
          </option>
        ))}
      </select>
      <button
        type="button"
        className={at === undefined ? '' : 'main'}
        onClick={() => show({ at: undefined })}
        disabled={at === undefined}
      >
        Live
      </button>
    </div>
  )
}
