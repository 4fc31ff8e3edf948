/** Colour, shape and word: each alone says what it is. */
type Look = 'running' | 'paused' | 'needs' | 'failed' | 'done' | 'skipped' | 'waiting' | 'created'

const looks: Readonly<Record<string, Look>> = {
  created: 'created',
  planned: 'created',
  open: 'created',
  running: 'running',
  claimed: 'running',
  paused: 'paused',
  resumable: 'waiting',
  bypassed: 'waiting',
  completed: 'done',
  done: 'done',
  resolved: 'done',
  failed: 'failed',
  crashed: 'failed',
  timeout: 'failed',
  blocked: 'failed',
  active: 'failed',
  cancelled: 'skipped',
  skipped: 'skipped',
  'needs you': 'needs',
}

export function lookOf(status: string): Look {
  return looks[status] ?? 'created'
}

export function StatusShape({ status }: { status: string }) {
  const look = lookOf(status)
  return (
    <svg className={`shape ${look}`} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      {shapes[look]}
    </svg>
  )
}

const shapes: Readonly<Record<Look, React.ReactNode>> = {
  running: <circle cx="6" cy="6" r="4" />,
  paused: <path d="M3 2h2v8H3zM7 2h2v8H7z" />,
  needs: <path d="M6 .5 11.5 6 6 11.5.5 6z" />,
  failed: <path d="M2 3.4 3.4 2 6 4.6 8.6 2 10 3.4 7.4 6 10 8.6 8.6 10 6 7.4 3.4 10 2 8.6 4.6 6z" />,
  done: <path d="M4.6 9.6 1.4 6.4l1.3-1.3 1.9 1.9 4.7-4.7 1.3 1.3z" />,
  skipped: <circle className="line" cx="6" cy="6" r="3.8" />,
  waiting: (
    <>
      <circle className="line" cx="6" cy="6" r="3.8" />
      <path d="M6 2.2a3.8 3.8 0 0 1 0 7.6z" />
    </>
  ),
  created: <circle className="line dashed" cx="6" cy="6" r="3.8" />,
}

export function Status({ status, reason }: { status: string; reason?: string | null | undefined }) {
  return (
    <span className={`status ${lookOf(status)}`} title={reason ?? undefined}>
      <StatusShape status={status} />
      <span>{status}</span>
    </span>
  )
}
