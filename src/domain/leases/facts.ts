export const leaseStream = 'lease'

/** Events name a claim by its epoch: the secret of its token stands in no event. */
export type LeaseFact =
  | { type: 'lease_claimed'; data: { name: string; epoch: number; holder: string; ttl_ms: number } }
  | { type: 'lease_lost'; data: { name: string; epoch: number } }
  | { type: 'lease_released'; data: { name: string; epoch: number } }

declare module '../log/event.ts' {
  interface FactsOfParts {
    leases: LeaseFact
  }
}
