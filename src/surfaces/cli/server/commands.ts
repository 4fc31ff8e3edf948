import { flag, integer, optional, text } from '../../../domain/log/input-schema.ts'
import type { Flag } from '../registry/flag.ts'
import type { OwnCommand } from '../registry/own-command.ts'

const serving: readonly Flag[] = [
  { name: 'host', schema: optional(text('The address to listen on; default 127.0.0.1.')) },
  {
    name: 'port',
    schema: optional(integer('The port, 0 for any free one; default 4747.', { min: 0, max: 65_535 })),
  },
  { name: 'log', schema: flag('Log every request, as a line of JSON on stderr; errors are always logged.') },
  { name: 'allow-remote', schema: flag('Allow other machines to connect; needs a certificate or a proxy.') },
  { name: 'tls-cert', schema: optional(text('Certificate file, in PEM format.')) },
  { name: 'tls-key', schema: optional(text('Key file of the certificate.')) },
  { name: 'proxy', schema: optional(text('Host name of a reverse proxy in front of the server.')) },
]

export const serve: OwnCommand = {
  word: 'serve',
  summary: 'Serve the store over HTTP until it is stopped.',
  flags: serving,
  run: async (called) => (await import('./serve.ts')).runServe(called),
}

export const up: OwnCommand = {
  word: 'up',
  summary:
    'Start a server in the background, which is started again should it die, or show where it runs, with a login link.',
  flags: serving,
  topic: 'Serve',
  run: async (called) => (await import('./up.ts')).runUp(called),
}

export const ui: OwnCommand = {
  word: 'ui',
  summary: 'Open the dashboard in a browser, and start a server for it where none runs.',
  flags: [...serving, { name: 'print', schema: flag('Only print the link.') }],
  topic: 'Serve',
  run: async (called) => (await import('./ui.ts')).runUi(called),
}

export const down: OwnCommand = {
  word: 'down',
  summary: 'Stop the server that runs in the background, and what would start it again.',
  flags: [],
  topic: 'Serve',
  run: async (called) => (await import('./down.ts')).runDown(called),
}
