import { readFileSync } from 'node:fs'
import { openJournal } from '../../open.ts'
import { asksFor } from './flags.ts'
import { printJson, printOut } from './output.ts'
import { actorHere, projectHere } from './project.ts'
import { type Request, readRequest } from './request.ts'
import { operationsFor, type Split, splitWords } from './words.ts'

/** The folder of the package, seen from dist/cli.js, into which this file is built. */
const packageFolder = new URL('..', import.meta.url)

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
  const split = splitWords(tokens)
  const [word] = split.words
  if (word === 'help' || asksFor('help', tokens) || tokens.length === 0) return help(split, json)
  if (word === undefined && asksFor('version', split.rest)) return version(json)
  if (word === 'tour') return tour(split.rest, json)
  const request = await readRequest(operationsFor(split), split.rest)
  const answer = await execute(request)
  if (json) printJson(answer)
  else {
    const { view } = await import('./views/index.ts')
    printOut(view(request.operation.name, answer))
  }
  // An answer that says that all is not well is no refusal, but a script must see it.
  return answer.ok === false ? 1 : 0
}

async function execute({ operation, input, home, store }: Request) {
  const { journal, caller } = await openJournal({
    home,
    store: store ?? (process.env.CAIRN_STORE || undefined),
    ...(process.env.AGENT_SESSION_ID ? { session: process.env.AGENT_SESSION_ID } : {}),
    project: projectHere(),
    actor: actorHere(),
    waits: 'blocking',
  })
  try {
    return await journal.execute(operation, input, caller)
  } finally {
    await journal.close()
  }
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

async function tour(rest: readonly string[], json: boolean): Promise<number> {
  const { runTour } = await import('./tour/tour.ts')
  return runTour(rest, json, new URL('bin/cairn', packageFolder))
}

process.exitCode = await main(process.argv.slice(2))
