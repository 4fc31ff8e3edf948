import { CairnRefusal, Refusal } from '../domain/log/refusal.ts'

/** A refusal as whoever awaits an answer gets it; a bug as it is. */
export function asThrown(error: unknown): unknown {
  return error instanceof Refusal ? new CairnRefusal(error) : error
}

export function throwRefusal(error: unknown): never {
  throw asThrown(error)
}
