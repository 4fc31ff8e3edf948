import { flag, oneOf, optional } from '../../../domain/log/input-schema.ts'
import type { OwnCommand } from '../registry/own-command.ts'
import { clients } from './clients.ts'

export const mcp: OwnCommand = {
  word: 'mcp',
  places: { shown: '[config]', max: 1 },
  summary: 'Serve MCP to an agent on stdin and stdout, or print its configuration.',
  flags: [
    { name: 'profile', schema: optional(oneOf('Which tools; default agent.', ['agent', 'orchestrator'])) },
    { name: 'all-roots', schema: flag('Allow access to all roots, not only its own.') },
    { name: 'client', schema: optional(oneOf('config: for which program; default json.', clients)) },
    { name: 'transport', schema: optional(oneOf('config: the transport; default stdio.', ['stdio', 'http'])) },
    { name: 'fill', schema: flag('config: with values from the environment instead of placeholders.') },
    { name: 'show-token', schema: flag("config: with the owner's token instead of a placeholder.") },
  ],
  topic: 'Serve',
  firstWords: ['config'],
  run: async (called) => (await import('./mcp-command.ts')).runMcp(called),
}
