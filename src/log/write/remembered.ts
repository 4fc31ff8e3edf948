import type { Load } from '../../domain/log/questions.ts'
import { refuse } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import { type RequestRow, requests } from '../../domain/log/tables.ts'
import type { Json } from '../../json/value.ts'
import type { Called, Outcome } from './call.ts'

export function isRequest({ request }: Called): boolean {
  return request !== undefined
}

/** Looks up which of the calls carry a request id that was answered before. */
export function* recall(calls: readonly Called[]): Generator<Load[], Remembered, readonly object[][]> {
  const ids = calls.flatMap(({ request }) => (request === undefined ? [] : [[request.caller, request.id]]))
  const found = yield ids.map((key) => ({ table: requests, key }))
  return new Remembered(found.flat() as RequestRow[])
}

/** The requests that a group may be repeating: those of the store, and those it has answered itself. */
export class Remembered {
  readonly #rows = new Map<string, RequestRow>()

  constructor(rows: readonly RequestRow[]) {
    for (const row of rows) this.#rows.set(requests.place(row), row)
  }

  /** The answer that was given then; undefined for a request that is new. */
  outcome({ request }: Called): Outcome | undefined {
    if (request === undefined) return undefined
    const row = this.#rows.get(requests.place(request as RequestRow))
    if (row === undefined) return undefined
    if (row.fingerprint === request.fingerprint) return { answer: JSON.parse(row.answer) as Answer }
    return {
      refusal: refuse(
        'idempotency_mismatch',
        `The request id ${JSON.stringify(request.id)} was used for another request.`,
        'Use a new `request_id` for each request, and the same one only to repeat it.',
        { request_id: request.id },
      ),
    }
  }

  /** A call of this group that was answered: its repeat in the same group gets that answer. */
  add(row: RequestRow): void {
    this.#rows.set(requests.place(row), row)
  }
}

/** The row to write for a call that was answered, if it carries a request id. */
export function rememberedRow({ request, place }: Called, answer: Answer, at: number): RequestRow | undefined {
  return request && { ...request, root: place.root, answer: remembered(answer), at }
}

/** For calls that are no requests. */
export const nothingRemembered = new Remembered([])

/** An answer beyond this is remembered without values: a repeat is told what was done, and can read the rest. */
const answerCharsMax = 4096

function remembered(answer: Answer): string {
  const text = JSON.stringify(answer)
  return text.length <= answerCharsMax ? text : JSON.stringify(withoutValues(answer as Json))
}

/** Members of answers that hold values of keys. */
const values: ReadonlySet<string> = new Set(['value', 'state', 'current_value', 'current_state'])

function withoutValues(answer: Json): Json {
  if (Array.isArray(answer)) return answer.map(withoutValues)
  if (typeof answer !== 'object' || answer === null) return answer
  const kept = Object.entries(answer).filter(([name]) => !values.has(name))
  const shown = Object.fromEntries(kept.map(([name, member]) => [name, withoutValues(member)]))
  return kept.length === Object.keys(answer).length ? shown : { ...shown, value_omitted: true }
}
