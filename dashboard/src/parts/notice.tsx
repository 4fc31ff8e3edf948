import type { ReactNode } from 'react'
import type { Failure } from '../live/calls.ts'
import { AsCommand } from './command.tsx'

export function Waiting({ what }: { what: string }) {
  return (
    <p className="waiting" role="status">
      Loading {what}…
    </p>
  )
}

/** What is not there yet, and the one command to run next. */
export function Empty({
  title,
  children,
  command,
}: {
  title: string
  children?: ReactNode
  command?: readonly string[]
}) {
  return (
    <div className="empty">
      <h3>{title}</h3>
      {children !== undefined && <p>{children}</p>}
      {command !== undefined && <AsCommand words={command} />}
    </div>
  )
}

/** What happened, what it means and what to do. */
export function Failed({ failure, again }: { failure: Failure; again?: () => void }) {
  return (
    <div className="failed" role="alert">
      <p>
        <strong>{failure.message}</strong> <code className="faint">{failure.code}</code>
      </p>
      <Hint text={failure.hint} />
      {again !== undefined && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Hints name commands between backticks. */
export function Hint({ text }: { text: string }) {
  return (
    <p>
      {text.split('`').map((piece, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change places.
        at % 2 === 1 ? <code key={at}>{piece}</code> : piece,
      )}
    </p>
  )
}
