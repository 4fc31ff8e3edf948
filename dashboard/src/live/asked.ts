import { useCallback, useEffect, useRef, useState } from 'react'
import { type Failure, failureOf } from './calls.ts'

export interface Asked<Answer> {
  readonly answer: Answer | undefined
  readonly failure: Failure | undefined
  readonly isWaiting: boolean
  again(): void
}

/**
 * What the server answers, asked once for each `name`; undefined asks nothing. While another is on its way the one before stays, so that
 * nothing jumps.
 */
export function useAsked<Answer>(name: string | undefined, ask: () => Promise<Answer>): Asked<Answer> {
  const [found, setFound] = useState<{ name: string; answer?: Answer; failure?: Failure }>()
  const [turn, setTurn] = useState(0)
  const asking = useRef(ask)
  asking.current = ask
  useEffect(() => {
    void turn
    if (name === undefined) return
    let isOver = false
    asking.current().then(
      (answer) => isOver || setFound({ name, answer }),
      (error: unknown) => isOver || setFound({ name, failure: failureOf(error) }),
    )
    return () => {
      isOver = true
    }
  }, [name, turn])
  const again = useCallback(() => setTurn((before) => before + 1), [])
  const isThere = found !== undefined && name !== undefined
  return {
    answer: isThere ? found.answer : undefined,
    failure: isThere && found.name === name ? found.failure : undefined,
    isWaiting: name !== undefined && found?.name !== name,
    again,
  }
}
