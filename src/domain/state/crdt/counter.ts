/** What each actor added and took away in all. Both numbers of an actor only grow, so the larger one is the later one. */
export interface Counter {
  readonly kind: 'g-counter' | 'pn-counter'
  readonly totals: { readonly [actor: string]: Totals }
}

type Totals = readonly [plus: number, minus: number]

/** `plus` and `minus` are the actor's totals with `value` counted in: a second delivery adds nothing. */
export interface CounterAdd {
  kind: Counter['kind']
  value: number
  actor: string
  plus: number
  minus: number
}

export function addTo(counter: Counter | undefined, { kind, actor, plus, minus }: CounterAdd): Counter {
  const [oldPlus, oldMinus] = totalsOf(counter, actor)
  const totals: Totals = [Math.max(oldPlus, plus), Math.max(oldMinus, minus)]
  return { kind, totals: { ...counter?.totals, [actor]: totals } }
}

/** The fact that an actor adds a number, negative ones included. */
export function addition(
  counter: Counter | undefined,
  kind: Counter['kind'],
  actor: string,
  value: number,
): CounterAdd {
  const [plus, minus] = totalsOf(counter, actor)
  return { kind, value, actor, plus: plus + Math.max(value, 0), minus: minus + Math.max(-value, 0) }
}

function totalsOf(counter: Counter | undefined, actor: string): Totals {
  return counter?.totals[actor] ?? [0, 0]
}

/** All that was ever added, and all that was ever taken away. */
export function sums({ totals }: Counter): Totals {
  let [plus, minus] = [0, 0]
  for (const each of Object.values(totals)) {
    plus += each[0]
    minus += each[1]
  }
  return [plus, minus]
}

export function numberOf(counter: Counter): number {
  const [plus, minus] = sums(counter)
  return plus - minus
}
