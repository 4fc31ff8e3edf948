import { createReadStream } from 'node:fs'
import type { LocalPerformer } from '../../../client/local.ts'
import type { Given } from '../arguments.ts'
import { performerFor } from '../asking/ask.ts'
import { printJson, printOut } from '../output.ts'
import { argumentsOf, type OwnArguments } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { unreadable } from '../sources.ts'
import { usageError } from '../usage.ts'
import { keepIn, writeOut } from './received-bytes.ts'

/** `cairn blob put FILE` and `cairn blob get HASH`: bytes go in and out as they come, and are never held as a whole. */
export async function runBlob(called: Called): Promise<number> {
  const { json } = called
  const given = argumentsOf(called)
  const { usage } = given
  const [action, what] = given.places
  if (action !== 'put' && action !== 'get')
    throw usageError(
      `cairn blob needs a subcommand: put, get or ls${action ? `, not ${JSON.stringify(action)}` : ''}.`,
      usage,
    )
  if (what === undefined) throw usageError(`cairn blob ${action} needs a ${action === 'put' ? 'FILE' : 'HASH'}.`, usage)
  checkFlags(action, given, json)
  const performer = performerFor(given)
  const session = given.flags.get('session')
  const doing = action === 'put' ? put(performer, session, what, json) : get(performer, session, what, given, json)
  return doing.finally(() => performer.close())
}

function checkFlags(action: 'put' | 'get', { flags, usage }: OwnArguments, json: boolean): void {
  const output = flags.get('output')
  if (output === '') throw usageError('--output is empty.', 'Leave it out for standard output, or name a file.')
  if (action === 'put' && output !== undefined) throw usageError('--output works only with cairn blob get.', usage)
  if (action === 'get' && json && output === undefined)
    throw usageError('With --json the bytes must go to a file.', 'Name it with -o FILE.')
}

async function put(
  performer: LocalPerformer,
  session: string | undefined,
  file: string,
  json: boolean,
): Promise<number> {
  const kept = await performer.blobs.put({ session, content: readFrom(file) })
  if (json) printJson(kept)
  else printOut(`${kept.hash}  ${kept.bytes} bytes\n`)
  return 0
}

/** The file is opened when its bytes are asked for: what is wrong with it has somebody who is told. */
async function* readFrom(file: string): AsyncGenerator<Uint8Array, void> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file)
  } catch (error) {
    throw unreadable(error, file)
  }
}

async function get(
  performer: LocalPerformer,
  session: string | undefined,
  hash: string,
  { flags }: Given,
  json: boolean,
): Promise<number> {
  const { bytes, content } = await performer.blobs.get({ session, hash })
  const file = flags.get('output')
  if (file === undefined) await writeOut(content, hash)
  else await keepIn(file, content, hash)
  if (json) printJson({ hash, bytes, file: file as string })
  else if (file !== undefined) printOut(`${bytes} bytes in ${file}\n`)
  return 0
}
