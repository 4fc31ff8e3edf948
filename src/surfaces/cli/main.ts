import { readFileSync } from 'node:fs'
import { operationsFor, splitWords } from './command-words.ts'
import { asksFor } from './flags.ts'
import { help, version } from './help/commands.ts'
import type { OwnCommand, Program } from './registry/own-command.ts'
import { ownCommand } from './registry/own-commands.ts'
import { readRequest } from './request.ts'

/** The folder of the package, seen from dist/cli.cjs, into which this file is built. */
const packageFolder = new URL('..', import.meta.url)

const program: Program = {
  file: new URL('bin/cairn', packageFolder),
  get version() {
    return JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')).version
  },
}

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
  const call = (command: OwnCommand, rest = split.rest) => command.run({ command, rest, json, program })
  if (tokens.length === 0) return (await import('./help/index.ts')).introduce(program)
  if (asksFor('help', tokens)) return call(help, tokens)
  if (split.words.length === 0 && split.rest.some(isVersionFlag)) return call(version, [])
  const own = ownCommand(split.words)
  if (own !== undefined) return call(own)
  const request = await readRequest(operationsFor(split), split.rest)
  const { ask } = await import('./asking/ask.ts')
  return ask(request, json)
}

function isVersionFlag(token: string): boolean {
  return token === '--version' || token === '-v' || token === '-V'
}

/** Asked by the scripts of the shells. It ends when it has answered, whatever it may still be waiting for. */
async function completeLine(words: readonly string[]): Promise<never> {
  const { complete } = await import('./completion/complete.ts')
  await complete(words).catch(() => undefined)
  process.exit(0)
}

/** Of a program that came to its end before its command did, as Node itself has it. */
const unsettled = 13

process.exitCode = unsettled
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
