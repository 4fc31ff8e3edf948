// What a model test really did: a suite whose commands are all refused, or never long enough, shows nothing.
import type { Json } from '../../src/json/value.ts'
import { isObject } from './merge.ts'
import { type Call, isRefused, type Model, type Obj } from './model.ts'

const conflicts = ['version_conflict', 'already_exists']

/** The ways a key's past is kept; each must have been gone. */
type Reached = 'array over 4 KiB' | '17th append' | '257th append' | 'object over 1 KiB' | '33rd merge in a row'

export class Histogram {
  readonly #commands = new Map<string, number>()
  readonly #calls = { all: 0, answered: 0, checked: 0, lost: 0 }
  readonly #answered = new Map<string, number>()
  readonly #reached = new Map<Reached, number>()
  readonly #inARow = new Map<string, { op: string; times: number }>()

  command(name: string): void {
    this.#commands.set(name, (this.#commands.get(name) ?? 0) + 1)
  }

  call(model: Model, { op, input }: Call, answer: Obj): void {
    this.#calls.all += 1
    if (!isRefused(answer)) this.#calls.answered += 1
    if (!isRefused(answer)) this.#answered.set(op, this.answered(op) + 1)
    if (!isRefused(answer) && typeof input.key === 'string') this.#note(model, op, String(input.session), input.key)
    if (!isChecked(input)) return
    this.#calls.checked += 1
    if (conflicts.includes(String(answer.refused))) this.#calls.lost += 1
  }

  #note(model: Model, op: string, session: string, key: string): void {
    if (!/^state\.(?:set|delete|increment|append|merge)$/.test(op)) return
    const root = model.rootOf(session)
    const place = `${root?.id} ${key}`
    const before = this.#inARow.get(place)
    const times = before?.op === op ? before.times + 1 : 1
    this.#inARow.set(place, { op, times })
    const value = root?.keys.get(key)?.at(-1)?.value
    if (op === 'state.append' && times === 17) this.#reach('17th append')
    if (op === 'state.append' && times === 257) this.#reach('257th append')
    if (op === 'state.append' && sizeOf(value) > 4096) this.#reach('array over 4 KiB')
    if (op !== 'state.merge' || !isObject(value) || sizeOf(value) <= 1024) return
    this.#reach('object over 1 KiB')
    if (times === 33) this.#reach('33rd merge in a row')
  }

  #reach(what: Reached): void {
    this.#reached.set(what, (this.#reached.get(what) ?? 0) + 1)
  }

  /** How often an operation was answered and not refused. */
  answered(op: string): number {
    return this.#answered.get(op) ?? 0
  }

  /** Shares of the commands, as numbers from 0 to 1. */
  shares(): Map<string, number> {
    const all = [...this.#commands.values()].reduce((sum, each) => sum + each, 0)
    return new Map([...this.#commands].map(([name, times]) => [name, times / all]))
  }

  /** Of the writes that expected a version, those that lost. */
  lostShare(): number {
    return this.#calls.lost / this.#calls.checked
  }

  answeredShare(): number {
    return this.#calls.answered / this.#calls.all
  }

  reached(what: Reached): number {
    return this.#reached.get(what) ?? 0
  }

  toString(): string {
    const sorted = [...this.#commands].sort(([, a], [, b]) => b - a)
    const shares = this.shares()
    const lines = sorted.map(([name, times]) => `  ${name}: ${times} (${percent(shares.get(name) ?? 0)})`)
    const { all, answered, checked, lost } = this.#calls
    return [
      ...lines,
      `  calls: ${all}, answered ${answered}; with a version ${checked}, of these lost ${lost} (${percent(lost / checked)})`,
      `  reached: ${[...this.#reached].map(([what, times]) => `${what} ${times}`).join(', ') || 'no long values'}`,
    ].join('\n')
  }
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`
const sizeOf = (value: Json | undefined) => (value === undefined ? 0 : JSON.stringify(value).length)

function isChecked(input: Obj): boolean {
  if (input.version !== undefined || input.create_only === true) return true
  return (
    Array.isArray(input.operations) && input.operations.some((item) => isObject(item) && item.if_match !== undefined)
  )
}
