// The writes of the crash suite. A write is known by its id alone, so that it can be told in a word and repeated exactly.

/** `loose` and `item` carry no request id: whether they took effect is not known until somebody looks. */
const KINDS = ['count', 'item', 'move', 'own', 'loose'] as const
type Kind = (typeof KINDS)[number]

export interface Call {
  readonly op: 'state.increment' | 'state.append' | 'state.batch' | 'state.set'
  readonly input: { readonly request_id?: string; readonly [name: string]: unknown }
}

/** `round.caller.number`: what it does follows from the number. */
export function idOf(round: number, caller: number, number: number): string {
  return `${round}.${caller}.${number}`
}

function numbersOf(id: string): [number, number, number] {
  return id.split('.').map(Number) as [number, number, number]
}

export function kindOf(id: string): Kind {
  const [, caller, number] = numbersOf(id)
  return KINDS[(caller + number) % KINDS.length] as Kind
}

export const isRepeatable = (id: string) => kindOf(id) !== 'loose' && kindOf(id) !== 'item'

/** The key that a caller alone sets, so that its values come in the order of its writes. */
export function ownKey(id: string): string {
  return `own/${numbersOf(id)[1]}`
}

/** How much a `move` takes from `left` and gives to `right`. */
export function amountOf(id: string): number {
  return 1 + (numbersOf(id)[2] % 7)
}

export function callOf(id: string): Call {
  switch (kindOf(id)) {
    case 'count':
      return { op: 'state.increment', input: { key: 'count', request_id: id } }
    case 'loose':
      return { op: 'state.increment', input: { key: 'loose' } }
    case 'item':
      return { op: 'state.append', input: { key: 'items', items: [id] } }
    case 'own':
      return { op: 'state.set', input: { key: ownKey(id), value: id, request_id: id } }
    case 'move': {
      const operations = [
        { op: 'increment', key: 'left', delta: -amountOf(id) },
        { op: 'increment', key: 'right', delta: amountOf(id) },
      ]
      return { op: 'state.batch', input: { operations, request_id: id } }
    }
  }
}
