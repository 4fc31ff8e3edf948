import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import type { Answer } from '../../../domain/log/rows.ts'
import { expectedBy } from './etags.ts'
import { type Input, type Said, twice } from './request-input.ts'
import type { Route } from './routes.ts'

type Perform = (input: Input) => Promise<Answer>

/** A write under the conditions of its headers. Throws a `CairnRefusal`. */
export async function writeIf(route: Route, input: Input, headers: Said['headers'], perform: Perform): Promise<Answer> {
  const expected = expectedBy(headers)
  if (expected instanceof Refusal) throw new CairnRefusal(expected)
  const said = input.version !== undefined || input.create_only !== undefined
  if (expected.kind === 'none') {
    if (!route.guarded) return perform(input)
    if (said) return perform(input).catch((error: unknown) => throwTaken(error))
    return perform({ ...input, ...nothing(route) }).catch(throwMissingPrecondition)
  }
  if (said) throw new CairnRefusal(twice('version'))
  if (expected.kind === 'any') return perform(input)
  const refusal = checkConditional(route)
  if (refusal) throw new CairnRefusal(refusal)
  if (expected.kind === 'nothing') {
    const doing = perform({ ...input, ...nothing(route) })
    return route.guarded ? doing.catch((error: unknown) => throwTaken(error)) : doing
  }
  return writeIfOneOf(expected.versions, (version) => perform({ ...input, version }))
}

function checkConditional(route: Route): Refusal | undefined {
  if ('version' in route.does.input.members) return undefined
  const hint = 'Leave out If-Match.'
  return refuse('bad_request', `${route.operation} does not take a version.`, hint, { header: 'If-Match' })
}

/** The member that says that nothing must be there. */
function nothing(route: Route): Input {
  return 'create_only' in route.does.input.members ? { create_only: true } : { version: 0 }
}

/**
 * Each version of a list is tried in its turn, so that a repeat of the request finds the same one: which of them is there may
 * have changed by the first.
 */
async function writeIfOneOf(
  versions: readonly number[],
  perform: (version: number) => Promise<Answer>,
): Promise<Answer> {
  const [version, ...others] = versions as [number, ...number[]]
  try {
    return await perform(version)
  } catch (error) {
    const isOther =
      error instanceof CairnRefusal && (error.code === 'version_conflict' || error.code === 'idempotency_mismatch')
    if (!isOther || others.length === 0) throw error
    return writeIfOneOf(others, perform)
  }
}

function replacing(current: unknown): string {
  return `Send If-Match: "${current}" to replace the version you read, or If-Match: * to replace any version.`
}

/** Whoever meant to create what is there is told how to replace it: without a precondition it would be refused again. */
function throwTaken(error: unknown): never {
  if (!(error instanceof CairnRefusal) || error.code !== 'already_exists') throw error
  const { code, message, details } = error.refusal
  throw new CairnRefusal(refuse(code, message, replacing(details.current_version ?? 0), details))
}

/** Whoever overwrites what is there must say that it knows it, or that it does not care. */
function throwMissingPrecondition(error: unknown): never {
  const met = error instanceof CairnRefusal && (error.code === 'already_exists' || error.code === 'version_conflict')
  if (!met) throw error
  const { your_version: _, ...details } = error.details
  const current = details.current_version ?? 0
  const message = `This already exists, at version ${current}.`
  throw new CairnRefusal(refuse('precondition_required', message, replacing(current), details))
}
