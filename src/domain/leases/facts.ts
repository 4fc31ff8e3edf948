export const leaseStream = 'lease'

export type LeaseFact =
  | { type: 'lease_claimed'; data: { name: string; token: number; holder: string; ttl_ms: number } }
  | { type: 'lease_lost'; data: { name: string; token: number } }
  | { type: 'lease_released'; data: { name: string; token: number } }

declare module '../log/event.ts' {
  interface FactsOfParts {
    leases: LeaseFact
  }
}
