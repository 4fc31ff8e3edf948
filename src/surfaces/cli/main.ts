import { readFileSync } from 'node:fs'
import { ask } from './asking/ask.ts'
import { operationsFor, type Split, splitWords } from './command-words.ts'
import { asksFor } from './flags.ts'
import { printJson, printOut } from './output.ts'
import { readRequest } from './request.ts'

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
  if (word === 'version' || (word === undefined && split.rest.some(isVersionFlag))) return version(split, json)
  if (word === 'tour') return tour(split.rest, json)
  if (word === 'serve') return serve(split.rest, json)
  if (word === 'up') return (await import('./server/up.ts')).runUp(split.rest, json, program)
  if (word === 'ui') return (await import('./server/ui.ts')).runUi(split.rest, json, program)
  if (word === 'down') return (await import('./server/down.ts')).runDown(split.rest, json)
  if (word === 'setup') return (await import('./setup/setup-command.ts')).runSetup(split.rest, json, program)
  if (word === 'init') return (await import('./folders/init-command.ts')).runInit(split.rest, json)
  if (word === 'onboard') return (await import('./folders/onboard-command.ts')).runOnboard(split.rest, json)
  if (word === 'trust') return (await import('./trust/trust-command.ts')).runTrust(split.rest, json)
  if (word === 'mcp') return mcp(split.rest, json)
  if (word === 'agent') return (await import('./agent/agent-command.ts')).runAgentCommand(split.rest, json, program)
  if (word === 'blob' && split.words.length === 1)
    return (await import('./blobs/blob-command.ts')).runBlob(split.rest, json)
  if (word === 'run')
    return (await import('./workflow/run-command.ts')).runRun(split.rest, json, packageVersion(), program)
  if (word === 'resume')
    return (await import('./workflow/resume-command.ts')).runResume(split.rest, json, packageVersion(), program)
  if (word === 'demo') return (await import('./demo/demo.ts')).runDemo(split.rest, json, program)
  if (word === 'watch') return (await import('./workflow/watch-command.ts')).runWatch(split.rest, json)
  if (word === 'logs' || word === 'attach')
    return (await import('./workflow/logs-command.ts')).runLogs(word, split.rest, json)
  if (word === 'completion') return completion(split.rest, json)
  const request = await readRequest(operationsFor(split), split.rest)
  return ask(request, json)
}

async function help(split: Split, json: boolean): Promise<number> {
  const { showHelp } = await import('./help/index.ts')
  showHelp(split, json, packageVersion())
  return 0
}

function isVersionFlag(token: string): boolean {
  return token === '--version' || token === '-v' || token === '-V'
}

async function version({ words, rest }: Split, json: boolean): Promise<number> {
  const { flagsGiven } = await import('./server/serve-options.ts')
  if (words.length > 0) flagsGiven('version', rest)
  if (json) printJson({ version: packageVersion() })
  else printOut(`${packageVersion()}\n`)
  return 0
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8'))
  return version
}

async function completion(rest: readonly string[], json: boolean): Promise<number> {
  const { scriptFor } = await import('./completion/scripts.ts')
  const { shell, script } = scriptFor(rest)
  if (json) printJson({ shell, script })
  else printOut(script)
  return 0
}

/** Asked by the scripts of the shells. It ends when it has answered, whatever it may still be waiting for. */
async function completeLine(words: readonly string[]): Promise<never> {
  const { complete } = await import('./completion/complete.ts')
  await complete(words).catch(() => undefined)
  process.exit(0)
}

async function serve(rest: readonly string[], json: boolean): Promise<number> {
  const { runServe } = await import('./server/serve.ts')
  return runServe(rest, json, { version: packageVersion(), file: program })
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
