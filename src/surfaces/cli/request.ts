import { isOptional } from '../../domain/log/input-schema.ts'
import { CairnRefusal, Refusal } from '../../domain/log/refusal.ts'
import { loadConfig } from '../../home/config.ts'
import { folderHere, projectHere, realPath } from '../../home/session-meant.ts'
import type { AnyOperation } from '../../operations/operation.ts'
import { filled, type Given, readArguments } from './arguments.ts'
import { aliasFlagsOf, flagsByName, flagsOf, ownFlagsOf } from './flags.ts'
import type { OwnFlag, OwnGiven } from './registry/flag.ts'
import { presentationOf } from './registry/presentations.ts'
import type { FileLimit } from './sources.ts'
import { flagText, placeholder, schemaOf, usageError, usageLine } from './usage.ts'
import { readValue, type Written } from './values.ts'

/** What a command line asks for. */
export interface Request {
  readonly operation: AnyOperation
  readonly input: Record<string, unknown>
  readonly home: string | undefined
  readonly store: string | undefined
  /** The flags of the command that are about the line and the answer. */
  readonly own: OwnGiven
}

/** `candidates` are the operations that the words of the line stand for. */
export async function readRequest(candidates: readonly AnyOperation[], rest: readonly string[]): Promise<Request> {
  const usage = `Usage: ${candidates.map((operation) => usageLine(operation)).join(' or ')}`
  const given = readArguments(rest, flagsByName(candidates, candidates.flatMap(aliasFlagsOf)), usage)
  const operation = chosen(candidates, given.places.length)
  const written = writtenIn(operation, given)
  const input: Record<string, unknown> = {}
  const own = ownGiven(operation, given)
  const isText = own.has('text')
  const limit = presentationOf(operation.name).fileLimit ?? 'requestBytes'
  const bytesMax = (): FileLimit => ({ limit, bytes: limitHere(limit, filled(given, 'home')) })
  for (const each of written) {
    input[each.member] = await readValue(schemaOf(operation, each.member), { ...each, isText }, bytesMax)
  }
  placeIn(operation, input)
  checkComplete(operation, input)
  return { operation, input, home: filled(given, 'home'), store: filled(given, 'store'), own }
}

function ownGiven(operation: AnyOperation, { flags }: Given): OwnGiven {
  return new Map(
    ownFlagsOf(operation).flatMap(({ name }) => {
      const text = flags.get(name)
      // The names of flags that are no members are those of `OwnFlag`.
      return text === undefined || text === 'false' ? [] : [[name as OwnFlag, text]]
    }),
  )
}

/** A file that is read is no larger than a request may be; of a message, no larger than what is uploaded before it. */
function limitHere(name: FileLimit['limit'], home: string | undefined): number {
  const config = loadConfig({ home })
  if (config instanceof Refusal) throw new CairnRefusal(config)
  return config.limits[name]
}

/** Of operations with the same words, the one that needs most of the arguments that are there. */
function chosen(candidates: readonly AnyOperation[], places: number): AnyOperation {
  const needed = (operation: AnyOperation) =>
    (operation.command.positional ?? []).filter((member) => !isOptional(schemaOf(operation, member))).length
  const sorted = [...candidates].sort((a, b) => needed(b) - needed(a))
  return (sorted.find((operation) => needed(operation) <= places) ?? sorted.at(-1)) as AnyOperation
}

function writtenIn(operation: AnyOperation, { places, flags, several }: Given): Written[] {
  const usage = `Usage: ${usageLine(operation)}`
  const { positional = [] } = operation.command
  const extra = places[positional.length]
  if (extra !== undefined) {
    const hint = `Put quotes around an argument with spaces. ${usage}`
    throw usageError(`Unexpected argument ${JSON.stringify(extra)}.`, hint)
  }
  const byPlace = places.map((text, at) => {
    const member = positional[at] as string
    return { member, name: placeholder(operation, member), text, usage }
  })
  const byFlag = [...flags].flatMap(([name, text]) => {
    const flag = flagsByName([operation], aliasFlagsOf(operation)).get(name)
    if (flag?.member !== undefined)
      return [{ member: flag.member, name: `--${name}`, text, texts: several.get(name) ?? [text], usage }]
    if (flag !== undefined) return []
    throw usageError(`--${name} cannot be combined with these arguments.`, usage)
  })
  const all = [...byPlace, ...byFlag]
  for (const [at, { member, name }] of all.entries()) {
    const same = all.slice(0, at).find((each) => each.member === member)
    if (same) throw usageError(`${same.name} and ${name} mean the same.`, usage)
  }
  return all
}

/** Work belongs to the project it is started in, unless said otherwise; a child belongs where its parent does. What is chosen, is in this folder. */
function placeIn(operation: AnyOperation, input: Record<string, unknown>): void {
  const schema = operation.input.members.project
  if (schema === undefined) return
  const { project_dir: named } = input
  if (typeof named === 'string') input.project_dir = realPath(named)
  else if (typeof input.project === 'string') input.project = realPath(input.project)
  else if (!isOptional(schema)) input.project = folderHere()
  else if (isNewRoot(operation, input)) input.project = projectHere()
}

function isNewRoot(operation: AnyOperation, input: Record<string, unknown>): boolean {
  return operation.kind === 'change' && operation.acting(input) === 'new root'
}

function checkComplete(operation: AnyOperation, input: Record<string, unknown>): void {
  for (const [member, schema] of Object.entries(operation.input.members)) {
    if (isOptional(schema) || input[member] !== undefined) continue
    const flag = flagsOf(operation).find((each) => each.member === member)
    const hasPlace = operation.command.positional?.includes(member)
    const name = flag === undefined || hasPlace ? placeholder(operation, member) : flagText(flag)
    throw usageError(`${name} is missing: ${schema.about}`, `Usage: ${usageLine(operation)}`)
  }
}
