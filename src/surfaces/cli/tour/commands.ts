import type { OwnCommand } from '../registry/own-command.ts'

export const tour: OwnCommand = {
  word: 'tour',
  summary: 'See Cairn work in a temporary folder: real processes race, one is killed, nothing is lost.',
  flags: [],
  topic: 'Start',
  run: async (called) => (await import('./tour.ts')).runTour(called),
}
