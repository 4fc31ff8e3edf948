import { useState } from 'react'

/** So much of a text is put on the page at once. */
const firstChars = 4000
const moreChars = 50_000

export function sizeOf(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-_]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

/** What an agent wrote, as text: colours of terminals are left out, and what cannot be seen is shown as a dot. */
export function plain(text: string): string {
  return text.replace(escapes, '').replace(controls, '·')
}

/** A long text is folded with its size, and unfolds in pieces that do not freeze the page. */
export function LongText({ text, className = 'long-text' }: { text: string; className?: string }) {
  const [chars, setChars] = useState(firstChars)
  const left = text.length - chars
  return (
    <div className={className}>
      <pre>{plain(text.slice(0, chars))}</pre>
      {left > 0 && (
        <button type="button" className="quiet" onClick={() => setChars(chars + moreChars)}>
          Show more ({sizeOf(left)} left)
        </button>
      )}
    </div>
  )
}
