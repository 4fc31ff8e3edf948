import { flag, oneOf, optional } from '../../../domain/log/input-schema.ts'
import { clients } from '../mcp/clients.ts'
import type { OwnCommand } from '../registry/own-command.ts'

export const setup: OwnCommand = {
  word: 'setup',
  places: { shown: 'PROGRAM', max: 1 },
  summary: `Set up an agent program for this project, and test it: ${clients.join(', ')}.`,
  flags: [
    {
      name: 'scope',
      schema: optional(
        oneOf('For this project, or for all projects of this user; default project, for codex user.', [
          'project',
          'user',
        ]),
      ),
    },
    { name: 'dry-run', schema: flag('Show what would change, and change nothing.') },
    { name: 'remove', schema: flag('Remove what setup has written.') },
    { name: 'yes', schema: flag('Write without asking.') },
    { name: 'no-check', schema: flag('Do not start the server to test the configuration.') },
  ],
  topic: 'Start',
  examples: ['cairn setup claude', 'cairn setup codex --dry-run', 'cairn setup claude --remove'],
  firstWords: clients,
  run: async (called) => (await import('./setup-command.ts')).runSetup(called),
}
