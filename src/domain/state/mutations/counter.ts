import { type Refusal, refuse } from '../../log/refusal.ts'
import { addition, addTo, type Counter, sums } from '../crdt/counter.ts'
import { actorOf, crdtOf, recordCrdt } from '../crdt/key.ts'
import { wrongKind } from '../crdt/kind.ts'
import { ofKind } from '../crdt/state.ts'
import { stateStream } from '../facts.ts'
import { keyRefs } from '../key.ts'
import { type Mutation, presentKey } from '../mutation.ts'
import type { IncrementAnswer } from './increment.ts'

interface Asked {
  key: string
  value?: number | undefined
  kind?: 'g' | 'pn' | undefined
  replica?: string | undefined
}

export const counterAdd: Mutation<Asked, IncrementAnswer> = {
  kinds: ['g-counter', 'pn-counter'],
  refs: ({ key }, rows) => keyRefs(rows, key),
  decide({ key, value = 1, kind, replica }, on) {
    const counter = ofKind(crdtOf(on.rows, key), 'g-counter', 'pn-counter')
    const wanted = kind && (`${kind}-counter` as const)
    if (counter && wanted && wanted !== counter.kind) return wrongKind(presentKey(on.rows, key), counter.kind)
    const data = addition(counter, counter?.kind ?? wanted ?? 'pn-counter', actorOf(on, replica), value)
    const refusal = checkDirection(key, data.kind, value) ?? checkExact(key, addTo(counter, data))
    if (refusal) return refusal
    const full = recordCrdt(on, { type: 'counter_add', stream: stateStream, key, data })
    if (full) return full
    const { value: text, version } = presentKey(on.rows, key)
    return { key, value: Number(text), version }
  },
}

function checkDirection(key: string, kind: Counter['kind'], value: number): Refusal | undefined {
  if (kind === 'pn-counter' || value >= 0) return undefined
  const message = `${JSON.stringify(key)} is a G-counter, which only grows; ${value} cannot be added.`
  return refuse('invalid_input', message, 'Use a PN-counter for values that can decrease.', {
    key,
    kind,
    path: 'value',
  })
}

/** Both sums stay exact, and so does their difference, in whatever order they are added up. */
function checkExact(key: string, counter: Counter): Refusal | undefined {
  if (sums(counter).every(Number.isSafeInteger)) return undefined
  const message = `${JSON.stringify(key)} would count beyond ${Number.MAX_SAFE_INTEGER}, which is no longer exact.`
  return refuse('number_out_of_range', message, 'Count in larger units, or delete it and start again.', { key })
}
