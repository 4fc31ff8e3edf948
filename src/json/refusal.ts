import type { Json } from './value.ts'

/** Why something is not taken, as an ordinary answer: it is returned, and thrown only where a caller of the library awaits. */
export class Refusal<Code extends string = JsonRefusalCode> {
  readonly code: Code
  readonly message: string
  readonly hint: string
  readonly details: Readonly<Record<string, Json>>

  constructor(code: Code, message: string, hint: string, details: Readonly<Record<string, Json>> = {}) {
    this.code = code
    this.message = message
    this.hint = hint
    this.details = details
  }

  /** The body every surface shows. */
  toJSON(): Record<string, Json> {
    return { error: this.code, message: this.message, hint: this.hint, ...this.details }
  }
}

/** Every way in which a text or a value can be wrong as JSON, as a patch of it, or as a schema for it. */
export type JsonRefusalCode =
  | 'invalid_input'
  | 'number_out_of_range'
  | 'too_deep'
  | 'value_too_large'
  | 'wrong_type'
  | 'bad_request'
  | 'version_conflict'

export function refuse(
  code: JsonRefusalCode,
  message: string,
  hint: string,
  details?: Readonly<Record<string, Json>>,
): Refusal {
  return new Refusal(code, message, hint, details)
}
