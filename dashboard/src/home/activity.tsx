import type { RootShown } from '../live/live-roots.ts'
import { useNow } from '../parts/time.tsx'

const days = 14
const dayMs = 86_400_000
const height = 40
const width = 12

/** How many sessions were started on each of the last days. */
export function Activity({ roots }: { roots: readonly RootShown[] }) {
  const now = useNow()
  const today = Math.floor(now / dayMs)
  const counts = Array.from({ length: days }, () => 0)
  for (const { created_at } of roots) {
    const at = days - 1 - (today - Math.floor(Date.parse(created_at) / dayMs))
    if (counts[at] !== undefined) counts[at] += 1
  }
  const most = Math.max(1, ...counts)
  const total = counts.reduce((sum, count) => sum + count, 0)
  return (
    <figure className="activity">
      <svg
        viewBox={`0 0 ${days * width} ${height}`}
        width={days * width}
        height={height}
        role="img"
        aria-label={`${total} sessions were started in the last ${days} days`}
      >
        {counts.map((count, at) => {
          const tall = count === 0 ? 1 : Math.max(3, (count / most) * height)
          const day = new Date((today - days + 1 + at) * dayMs).toISOString().slice(0, 10)
          return (
            <rect key={day} x={at * width + 1} y={height - tall} width={width - 2} height={tall}>
              <title>{`${day}: ${count}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption className="faint">started a day, last {days} days</figcaption>
    </figure>
  )
}
