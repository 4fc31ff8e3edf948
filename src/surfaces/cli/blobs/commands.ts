import { optional, text } from '../../../domain/log/input-schema.ts'
import type { OwnCommand } from '../registry/own-command.ts'
import { sessionFlag } from '../registry/session-flag.ts'

export const blob: OwnCommand = {
  word: 'blob',
  places: { shown: 'put|get|ls [ARG]', max: 2 },
  summary: 'Store a blob (`put FILE`, `-` for stdin), read one (`get HASH`), or list them (`ls`).',
  flags: [
    sessionFlag,
    {
      name: 'output',
      short: 'o',
      schema: optional(text('get: the file to write; default standard output.')),
    },
  ],
  examples: ['cairn blob put report.pdf', 'cairn blob get $HASH -o report.pdf'],
  run: async (called) => (await import('./blob-command.ts')).runBlob(called),
}
