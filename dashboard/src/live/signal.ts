import { useSyncExternalStore } from 'react'

/** Something that changes in place: whoever shows it is told that it did. */
export class Signal {
  readonly #listeners = new Set<() => void>()
  #version = 0

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly version = (): number => this.#version

  changed(): void {
    this.#version += 1
    for (const listener of [...this.#listeners]) listener()
  }
}

/** Renders again whenever it changes; the number tells one state of it from the next. */
export function useSignal(signal: Signal): number {
  return useSyncExternalStore(signal.subscribe, signal.version)
}
