import { type Refusal, refuse } from '../../../domain/log/refusal.ts'

const pathCharsMax = 200

/** A path that goes on below the state where there is nothing: most likely a key with a slash in it. */
const belowState = /^(\/sessions\/[^/]+\/state)\/(?:keys\/)?(.+)$/

/** Said of a path that leads nowhere. */
export function nothingThere(path: string): Refusal {
  const message = `There is no ${path.slice(0, pathCharsMax)}.`
  const [, state, key] = belowState.exec(path) ?? []
  if (state === undefined || key === undefined) return refuse('not_found', message, 'See /docs for all paths.')
  const meant = `${state}/keys/${key.replaceAll('/', '%2F')}`
  const hint = 'A key is at …/state/keys/{key}, with each / in it written as %2F'
  return refuse('not_found', message, meant.length > pathCharsMax ? `${hint}.` : `${hint}: ${meant}`)
}
