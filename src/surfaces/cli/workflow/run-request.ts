import { readArguments } from '../arguments.ts'
import { flagsByName } from '../flags.ts'
import { type OwnCommand, ownCommand } from '../own-commands.ts'
import { filled } from '../request.ts'
import { ownUsage, usageError } from '../usage.ts'
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

export function readRunRequest(rest: readonly string[]): RunRequest {
  const command = ownCommand('run') as OwnCommand
  const usage = `Usage: ${ownUsage(command)}`
  const given = readArguments(rest, flagsByName([], command.flags), usage)
  const { flags, places } = given
  const [file, extra] = places
  const schema = flags.get('schema') === 'true'
  if (extra !== undefined) throw usageError(`Unexpected argument ${JSON.stringify(extra)}.`, usage)
  if (file === undefined && !schema) throw usageError('FILE is missing: the workflow to run.', usage)
  const most = flags.get('max-parallel')
  const maxParallel =
    most === undefined ? undefined : integerOf({ member: 'max_parallel', name: '--max-parallel', text: most, usage })
  if (maxParallel !== undefined && maxParallel < 1) throw usageError('--max-parallel must be at least 1.', usage)
  return {
    home: filled(given, 'home'),
    store: filled(given, 'store'),
    file: file ?? '',
    schema,
    detach: flags.get('detach') === 'true',
    maxParallel,
    name: flags.get('name'),
    requestId: flags.get('request-id'),
  }
}
