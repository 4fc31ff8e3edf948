import { type FormEvent, type ReactNode, useState } from 'react'
import { cairn, type Failure, failureOf } from '../live/calls.ts'
import { AsCommand } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Failed } from '../parts/notice.tsx'
import { Status } from '../parts/status.tsx'
import { plain } from '../parts/text.tsx'
import { Ago } from '../parts/time.tsx'

/** Something that waits for a person. */
export interface Need {
  readonly id: string
  readonly kind: string
  readonly session_id: string
  readonly agent?: string | undefined
  readonly text: string
  readonly about: string | null
  readonly since: string
  readonly actions: readonly string[]
}

interface NeedItemProps {
  readonly need: Need
  /** In the past nothing can be done. */
  readonly canAct: boolean
  /** Where it is, for lists of several roots. */
  readonly children?: ReactNode
}

export function NeedItem({ need, canAct, children }: NeedItemProps) {
  return (
    <li className="need">
      <div className="need-head">
        <Status status="needs you" />
        <strong>{need.kind}</strong>
        {need.agent !== undefined && <span>{plain(need.agent)}</span>}
        {children}
        <span className="faint">
          <Ago time={need.since} />
        </span>
      </div>
      <p>{plain(need.text)}</p>
      {canAct && <NeedActions need={need} />}
    </li>
  )
}

function NeedActions({ need }: { need: Need }) {
  const [state, setState] = useState<'open' | 'pending' | Failure>('open')
  const act = async (ask: () => Promise<object>) => {
    setState('pending')
    try {
      // It stays pending until the feed says that the need is met, and takes it away.
      await ask()
    } catch (error) {
      setState(failureOf(error))
    }
  }
  const session = need.session_id
  const isPending = state === 'pending'
  const blocker = /^blocker\/(\d+)$/.exec(need.about ?? '')?.[1]
  return (
    <div className="need-actions">
      {need.kind === 'approval' && (
        <>
          <button
            type="button"
            className="main"
            disabled={isPending}
            onClick={() => act(() => cairn.session.approve({ session }))}
          >
            {isPending ? 'Pending…' : 'Approve'}
          </button>
          <AsCommand words={['approve', shortId(session)]} />
        </>
      )}
      {need.kind === 'question' && (
        <>
          <Reply
            label="Answer"
            choices={need.actions}
            isPending={isPending}
            send={(text) => act(() => cairn.session.answer({ session, text }))}
          />
          <AsCommand words={['answer', shortId(session), 'TEXT']} />
        </>
      )}
      {need.kind === 'failed' && (
        <>
          <button
            type="button"
            className="main"
            disabled={isPending}
            onClick={() => act(() => cairn.session.retry({ session }))}
          >
            {isPending ? 'Pending…' : 'Retry'}
          </button>
          <AsCommand words={['retry', shortId(session)]} />
        </>
      )}
      {need.kind === 'blocker' && blocker !== undefined && (
        <BlockerActions session={session} blocker={blocker} act={act} isPending={isPending} />
      )}
      {typeof state === 'object' && <Failed failure={state} />}
    </div>
  )
}

interface BlockerActionsProps {
  readonly session: string
  readonly blocker: string
  readonly isPending: boolean
  readonly act: (ask: () => Promise<object>) => Promise<void>
}

export function BlockerActions({ session, blocker, act, isPending }: BlockerActionsProps) {
  return (
    <>
      <Reply
        label="Workaround"
        choices={[]}
        isPending={isPending}
        send={(workaround) => act(() => cairn.blocker.bypass({ session, blocker, workaround }))}
      />
      <Reply
        label="Resolution"
        choices={[]}
        isPending={isPending}
        send={(resolution) => act(() => cairn.blocker.resolve({ session, blocker, resolution }))}
      />
      <AsCommand words={['unblock', blocker, '--resolution', 'TEXT', '--session', shortId(session)]} />
    </>
  )
}

interface ReplyProps {
  readonly label: string
  readonly choices: readonly string[]
  readonly isPending: boolean
  readonly send: (text: string) => void
}

export function Reply({ label, choices, isPending, send }: ReplyProps) {
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') send(text)
  }
  return (
    <form className="reply" onSubmit={submit}>
      {choices.map((choice) => (
        <button key={choice} type="button" disabled={isPending} onClick={() => send(choice)}>
          {plain(choice)}
        </button>
      ))}
      <input aria-label={label} placeholder={label} value={text} onChange={({ target }) => setText(target.value)} />
      <button type="submit" disabled={isPending || text.trim() === ''}>
        {isPending ? 'Pending…' : label === 'Answer' ? 'Answer' : label === 'Workaround' ? 'Bypass' : 'Resolve'}
      </button>
    </form>
  )
}
