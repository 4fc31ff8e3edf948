import { type ReactNode, useEffect, useId, useRef } from 'react'

interface DialogProps {
  readonly title: string
  readonly close: () => void
  readonly children: ReactNode
  readonly className?: string
}

/** The browser's own dialog: it keeps the focus, closes with Escape, and gives the focus back. */
export function Dialog({ title, close, children, className = '' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={element} className={className} onCancel={close} onClose={close} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  )
}
