import type { AnyOperation } from '../../../operations/operation.ts'
import { commands } from '../commands.ts'
import { exitMeanings, exits } from '../exit-codes.ts'
import { globalFlags } from '../flags.ts'
import { type OwnCommand, ownCommands } from '../own-commands.ts'
import { ownUsage, usageLine } from '../usage.ts'
import { argumentEntries, type Entry, environment, examplesOf, flagEntries, operationFlagEntries } from './parts.ts'

function rows(title: string, entries: readonly Entry[]): string[] {
  if (entries.length === 0) return []
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const lines = entries.map(([written, about]) => `| \`${cell(written)}\` | ${cell(about)} |`)
  return ['', `| ${title} | |`, '|---|---|', ...lines]
}

function chapter(operation: AnyOperation): string[] {
  const [words, ...others] = operation.command.words
  const name = operation.command.positional?.length ? usageLine(operation).split(' [--')[0] : `cairn ${words}`
  const same = others.map((other) => `\`cairn ${other}\``).join(', ')
  const examples = examplesOf(operation)
  return [
    '',
    `## ${name?.replace(/ --.*/, '')}`,
    '',
    `${operation.summary}${same === '' ? '' : ` Also ${same}.`}`,
    '',
    '```',
    usageLine(operation),
    '```',
    ...rows('argument', argumentEntries(operation)),
    ...rows('flag', operationFlagEntries(operation)),
    ...(examples.length === 0 ? [] : ['', '```sh', ...examples, '```']),
  ]
}

function ownChapter(command: OwnCommand): string[] {
  const { word, summary, flags } = command
  return ['', `## cairn ${word}`, '', summary, '', '```', ownUsage(command), '```', ...rows('flag', flagEntries(flags))]
}

function exitRows(): Entry[] {
  return Object.entries(exitMeanings).map(([exit, meaning]) => {
    const codes = Object.entries(exits).filter(([, each]) => String(each) === exit)
    const named = codes.map(([code]) => `\`${code}\``).join(', ')
    return [exit, named === '' ? meaning : `${meaning}: ${named}`]
  })
}

/** The whole reference; `docs/cli.md` is this text. */
export function reference(): string {
  const operations = [...new Set(commands.map(({ operation }) => operation))]
  return [
    '# The command line',
    '',
    'Written by `npm run generate` from the definitions of the operations.',
    '',
    'With `--json` a command prints exactly one JSON document on stdout, a refusal included; everything else goes to',
    'stderr. Commands that go on until they are interrupted (`state watch`, `log -f`) print one document per',
    'line (NDJSON), each an event as `log --json` lists it, and a refusal as the last line. The session used is the one named, else that of `AGENT_SESSION_ID`, else the one chosen by `cairn use` for',
    'this project, else its only open root. A session is named by its id, its slug, its name, or four or more',
    'characters of the start or the end of its id. `cairn tour` shows it all at work in a temporary folder.',
    ...rows('flag of every command', flagEntries(globalFlags)),
    ...rows('environment', environment),
    ...rows('exit code', exitRows()),
    ...operations.flatMap(chapter),
    ...ownCommands.flatMap(ownChapter),
  ].join('\n')
}
