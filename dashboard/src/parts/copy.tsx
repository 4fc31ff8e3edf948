import { useState } from 'react'

/** So long it is said that something was copied. */
const saidMs = 1500

export function Copy({ text, what }: { text: string; what: string }) {
  const [said, setSaid] = useState<'' | 'Copied' | 'Select and copy it yourself'>('')
  const copy = async () => {
    const done = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    setSaid(done ? 'Copied' : 'Select and copy it yourself')
    setTimeout(() => setSaid(''), saidMs)
  }
  return (
    <button type="button" className="quiet copy" onClick={copy} aria-label={`Copy ${what}`} title={`Copy ${what}`}>
      {said === '' ? <CopyIcon /> : <span role="status">{said}</span>}
    </button>
  )
}

function CopyIcon() {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path className="stroke" d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" />
    </svg>
  )
}

/** An id as people are shown it: its last eight characters; all of it is copied. */
export function Id({ id, what = 'the id' }: { id: string; what?: string }) {
  return (
    <span className="id">
      <code title={id}>{shortId(id)}</code>
      <Copy text={id} what={what} />
    </span>
  )
}

export function shortId(id: string): string {
  return id.slice(-8)
}
