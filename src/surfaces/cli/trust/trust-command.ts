import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { destinationHere } from '../../../home/destination.ts'
import { isTrusted, trust } from '../../../home/trust.ts'
import { printJson, printOut, safe } from '../output.ts'
import { argumentsOf, isSet } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { consent } from '../setup/consent.ts'
import { usageError } from '../usage.ts'
import { type NamingFile, namingFiles } from './naming-files.ts'

/** `cairn trust [DIR]`: shows what files of a repository would run, and remembers that they may, as long as they say that. */
export async function runTrust(called: Called): Promise<number> {
  const { json } = called
  const given = argumentsOf(called)
  const [dir = '.'] = given.places
  refuseAgents()
  const config = loadConfig({ home: given.home })
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const files = namingFiles(dir)
  const fresh = files.filter(({ path, content }) => !isTrusted(config.home, path, content))
  if (!json) show(dir, files.length, fresh)
  const agreed = fresh.length === 0 || isSet(given, 'yes') || (await agreedOn(json))
  if (agreed && fresh.length > 0) trust(config.home, fresh)
  const trusted = agreed ? fresh.map(({ path }) => path) : []
  if (json) printJson({ trusted, known: files.length - fresh.length })
  else if (fresh.length > 0) printOut(agreed ? `Trusted ${counted(fresh.length)}.\n` : 'Nothing was changed.\n')
  return 0
}

/** What an agent is given may not decide what runs as its owner. */
function refuseAgents(): void {
  if (destinationHere({}).token === undefined) return
  const hint = 'Run it as the owner, without CAIRN_TOKEN.'
  throw new CairnRefusal(refuse('forbidden', 'Only the owner can trust files.', hint))
}

function agreedOn(json: boolean): Promise<boolean> {
  if (!json) return consent('Trust what they say now?')
  throw usageError('With --json nobody is asked.', 'Read what the files name, then run it again with --yes.')
}

function show(dir: string, found: number, fresh: readonly NamingFile[]): void {
  if (found === 0) printOut(`No file in ${safe(dir)} names commands.\n`)
  else if (fresh.length === 0)
    printOut(
      `${counted(found)} in ${safe(dir)} ${found === 1 ? 'is' : 'are'} trusted as ${found === 1 ? 'it is' : 'they are'}.\n`,
    )
  for (const { path, lines } of fresh)
    printOut(`${[safe(path), ...lines.map((line) => `  ${safe(line.trimEnd())}`), ''].join('\n')}\n`)
}

function counted(files: number): string {
  return `${files} ${files === 1 ? 'file' : 'files'}`
}
