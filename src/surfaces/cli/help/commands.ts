import { flag } from '../../../domain/log/input-schema.ts'
import type { OwnCommand } from '../registry/own-command.ts'

export const help: OwnCommand = {
  word: 'help',
  places: { shown: '[COMMAND]', max: Number.POSITIVE_INFINITY },
  summary: 'Show the commands by topic, or one with its flags and examples.',
  flags: [{ name: 'all', short: 'a', schema: flag('List every command.') }],
  firstWords: 'commands',
  run: async (called) => (await import('./index.ts')).showHelp(called),
}

export const version: OwnCommand = {
  word: 'version',
  summary: 'Show the version of the program; also -v, -V and --version.',
  flags: [],
  run: async (called) => (await import('./version.ts')).showVersion(called),
}
