import type { LineState } from '../live/feed.ts'

const words: Partial<Record<LineState, string>> = {
  reconnecting: 'The server does not answer. What you see is as it was last known; the page reconnects by itself.',
  offline: 'This machine is offline. What you see is as it was last known; the page reconnects by itself.',
}

export function LineNotice({ state }: { state: LineState }) {
  const text = words[state]
  return (
    <div className="line-notice" role="status">
      {text !== undefined && <p>{text}</p>}
    </div>
  )
}
