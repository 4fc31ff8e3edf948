import { flag } from '../../../domain/log/input-schema.ts'
import type { OwnCommand } from '../registry/own-command.ts'

export const trust: OwnCommand = {
  word: 'trust',
  places: { shown: '[DIR]', max: 1 },
  summary: 'Allow the files of a repository that name commands to run, as they are now; they are shown first.',
  flags: [{ name: 'yes', schema: flag('Trust them without asking.') }],
  run: async (called) => (await import('./trust-command.ts')).runTrust(called),
}
