import { flag } from '../../../domain/log/input-schema.ts'
import type { OwnCommand } from '../registry/own-command.ts'

export const init: OwnCommand = {
  word: 'init',
  summary: 'Keep a session folder in agents/sessions/ for each piece of work of this project, and tell its agents.',
  flags: [
    { name: 'yes', schema: flag('Write the instructions for agents without asking.') },
    { name: 'dry-run', schema: flag('Show what would change, and change nothing.') },
  ],
  run: async (called) => (await import('./init-command.ts')).runInit(called),
}

export const onboard: OwnCommand = {
  word: 'onboard',
  places: { shown: '[DIR]…', max: Number.POSITIVE_INFINITY },
  summary: 'Take in the session folders of projects, with all of their history, such as after a clone.',
  flags: [],
  run: async (called) => (await import('./onboard-command.ts')).runOnboard(called),
}
