import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Overload } from '../../wire/overload.ts'
import type { ProcessReadings } from '../../wire/process-readings.ts'
import { exposition, type Metric, type Sample } from './prometheus.ts'
import type { Answered } from './request-log.ts'

/** Upper bounds in seconds: from a read out of memory to a wait that is a long poll. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]

/** How often the event loop is looked at. */
const delayResolutionMs = 20

interface Durations {
  /** By bound; the last is for all above. */
  readonly counts: number[]
  sum: number
}

/** What the roots of the store take up on disk, the fullest of them, and what each may. */
export type DiskUse = { all: number; fullest: number; limit: number }

/** What is known elsewhere and asked for when somebody reads the metrics. */
export interface Gauges {
  readonly store: 'sqlite' | 'postgres'
  feedReaders(): number
  diskUse(): Promise<DiskUse>
  readonly overload: Pick<Overload, 'short' | 'refused'>
  readonly readings: Pick<ProcessReadings, 'diskFree' | 'descriptors'>
}

/** What a server has done and how it is, for Prometheus. */
export class Metrics {
  readonly #gauges: Gauges
  /** By route, then by status; waits that ran out count apart, so that nobody takes them for faults. */
  readonly #requests = new Map<string, Map<string, number>>()
  readonly #durations = new Map<string, Durations>()
  readonly #delay = monitorEventLoopDelay({ resolution: delayResolutionMs })

  constructor(gauges: Gauges) {
    this.#gauges = gauges
    this.#delay.enable()
  }

  answered({ route, status, ms, ranOut }: Pick<Answered, 'route' | 'status' | 'ms' | 'ranOut'>): void {
    const counts = this.#requests.get(route) ?? new Map<string, number>()
    const label = ranOut ? 'timed_out' : String(status)
    counts.set(label, (counts.get(label) ?? 0) + 1)
    this.#requests.set(route, counts)
    const durations = this.#durations.get(route) ?? { counts: Array(bounds.length + 1).fill(0), sum: 0 }
    const seconds = ms / 1000
    const found = bounds.findIndex((bound) => seconds <= bound)
    const bucket = found < 0 ? bounds.length : found
    durations.counts[bucket] = (durations.counts[bucket] ?? 0) + 1
    durations.sum += seconds
    this.#durations.set(route, durations)
  }

  async text(): Promise<string> {
    const { all, fullest, limit } = await this.#gauges.diskUse()
    const { rss, heapUsed } = process.memoryUsage()
    return exposition([
      {
        name: 'cairn_http_requests_total',
        type: 'counter',
        help: 'Requests answered; waits that ran out have the status timed_out.',
        samples: this.#counted(),
      },
      {
        name: 'cairn_http_request_duration_seconds',
        type: 'histogram',
        help: 'Time from a request to its answer.',
        samples: [...this.#durations].flatMap(([route, durations]) => histogram(route, durations)),
      },
      gauge('cairn_feed_readers', 'Readers that follow a log or wait for a key.', this.#gauges.feedReaders()),
      {
        name: 'cairn_event_loop_delay_seconds',
        type: 'gauge',
        help: 'How late the event loop was since this was last read.',
        samples: this.#delays(),
      },
      gauge('cairn_disk_bytes', 'What all roots use on disk.', all),
      gauge('cairn_fullest_root_disk_bytes', 'What the root that uses most uses on disk.', fullest),
      gauge('cairn_root_disk_limit_bytes', 'What one root may use on disk.', limit),
      gauge('process_resident_memory_bytes', 'Memory of the process.', rss),
      gauge('nodejs_heap_size_used_bytes', 'Memory that JavaScript uses.', heapUsed),
      ...this.#overload(),
      gauge('cairn_store_info', 'The kind of store.', 1, { kind: this.#gauges.store }),
    ])
  }

  #overload(): Metric[] {
    const { overload, readings } = this.#gauges
    const short = new Set<string>(overload.short)
    const each = (value: (resource: string, refused: number) => number) =>
      Array.from(overload.refused, ([resource, refused]) => ({
        labels: { resource },
        value: value(resource, refused),
      }))
    const { diskFree, descriptors } = readings
    return [
      {
        name: 'cairn_overloaded',
        type: 'gauge',
        help: 'Whether new work is refused because the server is short of something.',
        samples: each((resource) => (short.has(resource) ? 1 : 0)),
      },
      {
        name: 'cairn_overload_refusals_total',
        type: 'counter',
        help: 'Requests refused because the server was short of something.',
        samples: each((_, refused) => refused),
      },
      ...(diskFree === undefined ? [] : [gauge('cairn_disk_free_bytes', 'Free on the disk of the store.', diskFree)]),
      ...(descriptors === undefined ? [] : [gauge('process_open_fds', 'Open file descriptors.', descriptors)]),
    ]
  }

  stop(): void {
    this.#delay.disable()
  }

  #counted(): Sample[] {
    return [...this.#requests].flatMap(([route, counts]) =>
      Array.from(counts, ([status, value]) => ({ labels: { route, status }, value })),
    )
  }

  #delays(): Sample[] {
    const nanoseconds = { '0.5': this.#delay.percentile(50), '0.99': this.#delay.percentile(99), '1': this.#delay.max }
    this.#delay.reset()
    return Object.entries(nanoseconds).map(([quantile, delay]) => ({ labels: { quantile }, value: delay / 1e9 }))
  }
}

function gauge(name: string, help: string, value: number, labels: Record<string, string> = {}): Metric {
  return { name, type: 'gauge', help, samples: [{ value, labels }] }
}

function histogram(route: string, { counts, sum }: Durations): Sample[] {
  let below = 0
  const buckets = counts.map((count, at) => {
    below += count
    return { suffix: '_bucket', labels: { route, le: String(bounds[at] ?? '+Inf') }, value: below }
  })
  return [
    ...buckets,
    { suffix: '_sum', labels: { route }, value: sum },
    { suffix: '_count', labels: { route }, value: below },
  ]
}
