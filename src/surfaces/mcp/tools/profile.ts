/** `agent`: what every agent needs. `orchestrator`: also what whoever directs agents needs. */
export const profiles = ['agent', 'orchestrator'] as const
export type Profile = (typeof profiles)[number]
