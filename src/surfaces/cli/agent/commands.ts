import { integer, oneOf, optional, text } from '../../../domain/log/input-schema.ts'
import type { OwnCommand } from '../registry/own-command.ts'

export const agent: OwnCommand = {
  word: 'agent',
  places: { shown: '[PROMPT]', max: 1 },
  summary: 'Run an agent on a model, with the tools of Cairn; each step is recorded, and can be resumed.',
  flags: [
    {
      name: 'session',
      member: 'session',
      schema: optional(text('The session that the agent is made below; default the one of this folder.')),
    },
    {
      name: 'provider',
      schema: optional(oneOf('Which protocol; default by the keys that are set.', ['anthropic', 'openai'])),
    },
    { name: 'model', schema: optional(text('The model; default ANTHROPIC_MODEL or OPENAI_MODEL.')) },
    {
      name: 'base-url',
      schema: optional(text('The endpoint; default ANTHROPIC_BASE_URL or OPENAI_BASE_URL, else that of the provider.')),
    },
    { name: 'system', schema: optional(text('The system prompt, as text or @FILE.')) },
    { name: 'max-turns', schema: optional(integer('Maximum number of answers in one run; default 50.', { min: 1 })) },
    { name: 'max-tokens', schema: optional(integer('Maximum number of tokens in one answer.', { min: 1 })) },
    {
      name: 'mcp',
      schema: optional(
        text('A JSON file with mcpServers whose tools the agent gets; one of a repository must be trusted.'),
      ),
    },
    { name: 'resume', schema: optional(text('Go on with the conversation of this session.')) },
    { name: 'copy', schema: optional(text('Copy this session and go on with the copy.')) },
    { name: 'to-point', schema: optional(integer('copy: up to this version of the conversation.')) },
    { name: 'overwrite', schema: optional(text('Go on with the conversation of this session from a point.')) },
    { name: 'from-point', schema: optional(integer('overwrite: the last version that stays visible.')) },
  ],
  topic: 'Conversations',
  examples: ['cairn agent "Make the parser faster"', 'cairn agent --resume 3f9a1c0b "Go on"'],
  run: async (called) => (await import('./agent-command.ts')).runAgentCommand(called),
}
