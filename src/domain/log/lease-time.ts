/** Milliseconds of the clock that leases run by, within one life of the machine it runs on. */
export interface LeaseTime {
  readonly ms: number
  readonly boot: string
  /** The last jump of that clock, if it was seen to jump: what it would have shown, and what it showed. */
  readonly gap?: { readonly before: number; readonly after: number } | undefined
}
