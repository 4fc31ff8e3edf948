import type { OwnCommand } from '../registry/own-command.ts'

export const demo: OwnCommand = {
  word: 'demo',
  summary: 'See a workflow of local programs run: they race, one is paused, one crashes, the server is killed.',
  flags: [],
  topic: 'Start',
  run: async (called) => (await import('./demo.ts')).runDemo(called),
}
