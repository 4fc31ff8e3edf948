import { argumentsOf, isSet } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { usageError } from '../usage.ts'
import { integerOf } from '../values.ts'

/** What a line of `cairn run` asks for. */
export interface RunRequest {
  readonly home: string | undefined
  readonly store: string | undefined
  readonly schema: boolean
  readonly file: string
  readonly detach: boolean
  readonly maxParallel: number | undefined
  readonly name: string | undefined
  readonly requestId: string | undefined
}

export function readRunRequest(called: Called): RunRequest {
  const given = argumentsOf(called)
  const { flags, places, home, store, usage } = given
  const [file] = places
  const schema = isSet(given, 'schema')
  if (file === undefined && !schema) throw usageError('FILE is missing: the workflow to run.', usage)
  const most = flags.get('max-parallel')
  const maxParallel =
    most === undefined ? undefined : integerOf({ member: 'max_parallel', name: '--max-parallel', text: most, usage })
  if (maxParallel !== undefined && maxParallel < 1) throw usageError('--max-parallel must be at least 1.', usage)
  return {
    home,
    store,
    file: file ?? '',
    schema,
    detach: isSet(given, 'detach'),
    maxParallel,
    name: flags.get('name'),
    requestId: flags.get('request-id'),
  }
}
