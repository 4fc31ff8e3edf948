import { type Path, refuseAt } from '../../../json/refusals.ts'
import type { Refusal } from '../../log/refusal.ts'

export function refuseEmpty(): Refusal {
  return refuseAt('invalid_input', ['content'], 'is empty', 'Give a text, blocks or tool calls.')
}

/** Why a result is not taken: it does not say which call it is the result of. */
export function refuseNameless(path: Path): Refusal {
  return refuseAt('invalid_input', path, 'is missing', 'Give the id of the call that this is the result of.')
}
