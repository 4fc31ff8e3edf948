import { CairnRefusal, Refusal } from '../domain/log/refusal.ts'
import type { Answer } from '../domain/log/rows.ts'

/** A refusal as whoever awaits an answer gets it; a bug as it is. */
export function asThrown(error: unknown): unknown {
  return error instanceof Refusal ? new CairnRefusal(error) : error
}

export function throwRefusal(error: unknown): never {
  throw asThrown(error)
}

/** The answer; a refusal is thrown. */
export async function answered(asking: Promise<object>): Promise<Answer> {
  const answer = await asking.catch(throwRefusal)
  if (answer instanceof Refusal) throw new CairnRefusal(answer)
  return answer as Answer
}

export function unlessRefused(error: unknown): void {
  if (!(error instanceof CairnRefusal) && !(error instanceof Refusal)) throw error
}
