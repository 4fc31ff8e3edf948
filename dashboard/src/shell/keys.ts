/** What a key does; nothing while somebody types, or holds a key for the browser. */
export type Keys = Readonly<Record<string, () => void>>

/** Keys that mean something only behind another one. */
interface Second {
  readonly after: Keys
  isThen(): boolean
}

export function listenToKeys(keys: Keys, second?: Second): () => void {
  const pressed = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
    const action = (second?.isThen() ? second.after[event.key] : undefined) ?? keys[event.key]
    if (action === undefined) return
    // A space presses the button that has the focus.
    if (event.key === ' ' && event.target instanceof HTMLElement && event.target.matches('button, a, summary')) return
    if (document.querySelector('dialog[open]') !== null) return
    event.preventDefault()
    action()
  }
  addEventListener('keydown', pressed)
  return () => removeEventListener('keydown', pressed)
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input:not([type="checkbox"]), textarea, select')
}
