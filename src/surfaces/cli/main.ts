import { readFileSync } from 'node:fs'
import type { LocalPerformer } from '../../client/local.ts'
import { destinationHere } from '../../home/destination.ts'
import { actorHere, meantHere } from '../../home/session-meant.ts'
import { operationsFor, type Split, splitWords } from './command-words.ts'
import { asksFor } from './flags.ts'
import { printJson, printOut } from './output.ts'
import { type Request, readRequest } from './request.ts'

/** The folder of the package, seen from dist/cli.cjs, into which this file is built. */
const packageFolder = new URL('..', import.meta.url)
const program = new URL('bin/cairn', packageFolder)

async function main(tokens: readonly string[]): Promise<number> {
  const json = asksFor('json', tokens)
  try {
    return await perform(tokens, json)
  } catch (error) {
    const { report } = await import('./report.ts')
    return report(error, json)
  }
}

async function perform(tokens: readonly string[], json: boolean): Promise<number> {
  if (tokens[0] === '__complete') return completeLine(tokens.slice(1))
  const split = splitWords(tokens)
  const [word] = split.words
  if (word === 'help' || asksFor('help', tokens) || tokens.length === 0) return help(split, json)
  if (word === undefined && asksFor('version', split.rest)) return version(json)
  if (word === 'tour') return tour(split.rest, json)
  if (word === 'serve') return (await import('./server/serve.ts')).runServe(split.rest, json, packageVersion())
  if (word === 'up') return (await import('./server/up.ts')).runUp(split.rest, json, program)
  if (word === 'down') return (await import('./server/down.ts')).runDown(split.rest, json)
  if (word === 'setup') return (await import('./setup/setup-command.ts')).runSetup(split.rest, json, program)
  if (word === 'mcp') return mcp(split.rest, json)
  if (word === 'blob' && split.words.length === 1)
    return (await import('./blobs/blob-command.ts')).runBlob(split.rest, json, performerFor)
  if (word === 'completion') return completion(split.rest)
  const request = await readRequest(operationsFor(split), split.rest)
  return ask(request, json)
}

/** The store is closed before an answer is shown: what goes wrong then is said instead of it, not after it. */
async function ask({ operation, input, ...place }: Request, json: boolean): Promise<number> {
  const performer = await performerFor(place)
  const close = () => performer.close()
  if (operation.kind === 'stream') {
    const { printEvents } = await import('./event-lines.ts')
    return printEvents(performer, operation, input, json).finally(close)
  }
  const answer = await performer.execute(operation, input).finally(close)
  if (json) printJson(answer)
  else {
    const { view } = await import('./views/index.ts')
    printOut(view(operation.name, answer))
  }
  // An answer that says that all is not well is no refusal, but a script must see it.
  return answer.ok === false ? 1 : 0
}

/** Loaded only by commands that ask something. */
async function performerFor(place: Pick<Request, 'home' | 'store'>): Promise<LocalPerformer> {
  const { LocalPerformer } = await import('../../client/local.ts')
  const meant = { ...meantHere(), actor: actorHere() }
  return new LocalPerformer({ ...destinationHere(place), meant, waits: 'blocking' })
}

async function help(split: Split, json: boolean): Promise<number> {
  const { showHelp } = await import('./help/index.ts')
  showHelp(split, json, packageVersion())
  return 0
}

function version(json: boolean): number {
  if (json) printJson({ version: packageVersion() })
  else printOut(`${packageVersion()}\n`)
  return 0
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8'))
  return version
}

async function completion(rest: readonly string[]): Promise<number> {
  const { scriptOf } = await import('./completion/scripts.ts')
  printOut(scriptOf(rest))
  return 0
}

/** Asked by the scripts of the shells. It ends when it has answered, whatever it may still be waiting for. */
async function completeLine(words: readonly string[]): Promise<never> {
  const { complete } = await import('./completion/complete.ts')
  await complete(words).catch(() => undefined)
  process.exit(0)
}

async function mcp(rest: readonly string[], json: boolean): Promise<number> {
  const { runMcp } = await import('./mcp/mcp-command.ts')
  return runMcp(rest, json, { version: packageVersion(), file: program })
}

async function tour(rest: readonly string[], json: boolean): Promise<number> {
  const { runTour } = await import('./tour/tour.ts')
  return runTour(rest, json, program)
}

/** Of a program that came to its end before its command did, as Node itself has it. */
const unsettled = 13

process.exitCode = unsettled
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
