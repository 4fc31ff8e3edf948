/** A fault to be planted in the source, and the tests that have to see it. */
export interface Mutant {
  /** Which part it is in, and what goes wrong. */
  readonly name: string
  readonly file: string
  /** Stands in the file once. */
  readonly find: string
  readonly replace: string
  readonly tests: readonly string[]
  /** Why no test sees it, where that is accepted. */
  readonly why?: string
}
