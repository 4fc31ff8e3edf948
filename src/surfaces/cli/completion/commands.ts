import type { OwnCommand } from '../registry/own-command.ts'
import { shells } from './shells.ts'

export const completion: OwnCommand = {
  word: 'completion',
  places: { shown: shells.join('|'), max: 1 },
  summary: 'Print the completion script for bash, zsh or fish.',
  flags: [],
  firstWords: shells,
  examples: ['source <(cairn completion bash)', 'cairn completion fish | source'],
  run: async (called) => (await import('./scripts.ts')).printScript(called),
}
