import { exitMeanings, exits } from '../../src/surfaces/cli/exit-codes.ts'
import { globalFlags } from '../../src/surfaces/cli/flags.ts'
import { type Described, describedOperation, describedOwn } from '../../src/surfaces/cli/help/described.ts'
import { type Entry, environment, flagEntries } from '../../src/surfaces/cli/help/parts.ts'
import { definedOperations } from '../../src/surfaces/cli/registry/commands.ts'
import { ownCommands } from '../../src/surfaces/cli/registry/own-commands.ts'

function rows(title: string, entries: readonly Entry[]): string[] {
  if (entries.length === 0) return []
  const cell = (text: string) => text.replaceAll('|', '\\|')
  const lines = entries.map(([written, about]) => `| \`${cell(written)}\` | ${cell(about)} |`)
  return ['', `| ${title} | |`, '|---|---|', ...lines]
}

function chapter(command: Described): string[] {
  const same = command.also.map((other) => `\`cairn ${other}\``).join(', ')
  return [
    '',
    `## cairn ${command.shown}`,
    '',
    `${command.summary}${same === '' ? '' : ` Also ${same}.`}`,
    '',
    '```',
    command.usage,
    '```',
    ...rows('argument', command.arguments),
    ...rows('flag', command.flags),
    ...(command.examples.length === 0 ? [] : ['', '```sh', ...command.examples, '```']),
  ]
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
  const withWords = definedOperations.filter(({ command }) => command.words.length > 0)
  const described = [...withWords.map((each) => describedOperation(each)), ...ownCommands.map(describedOwn)]
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
    ...described.flatMap(chapter),
  ].join('\n')
}
