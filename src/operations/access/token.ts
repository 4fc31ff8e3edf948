import { oneOf, optional, text } from '../../domain/log/input-schema.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import { cursor, limit, session } from '../inputs.ts'
import { upkeep } from '../operation.ts'

const id = text('The token: its id, its name, or the end of its id; `install` is that of the owner.', { max: 256 })

export const tokenCreate = upkeep({
  name: 'token.create',
  summary: 'Make a token for an agent, bound to its session, or one that only reads; it is shown this once.',
  command: { words: ['token create'], positional: ['kind'] },
  input: {
    kind: oneOf('agent: writes the state of its root and acts on its subtree. reader: reads everything.', [
      'agent',
      'reader',
    ]),
    session,
    name: optional(text('What to call it.', { max: 256 })),
  },
  async run(input, tools) {
    if (input.kind === 'reader' && input.session !== undefined) return readsEverything()
    const place = input.kind === 'agent' ? await tools.placeOf(input.session) : undefined
    return tools.tokens.create(input.kind, place, input.name)
  },
})

function readsEverything(): Refusal {
  const hint = 'Leave out the session, or make a token for an agent.'
  return refuse('invalid_input', 'A token that reads is bound to no session.', hint, { path: 'session' })
}

export const tokenList = upkeep({
  name: 'token.list',
  summary: 'List the tokens of agents and readers, newest first; secrets are kept nowhere and shown never.',
  command: { words: ['token ls'] },
  input: { limit, cursor: cursor('tok_') },
  run: async (input, tools) => tools.tokens.list(input.limit ?? 50, input.cursor ?? '~'),
})

export const tokenRevoke = upkeep({
  name: 'token.revoke',
  summary: 'Make a token worthless, at once and on open connections too.',
  command: { words: ['token revoke'], positional: ['id'] },
  input: { id },
  run: async (input, tools) => tools.tokens.revoke(input.id),
})

export const tokenRotate = upkeep({
  name: 'token.rotate',
  summary: 'Give a token another secret, shown this once; whoever has the old one is out at once.',
  command: { words: ['token rotate'], positional: ['id'] },
  input: { id },
  run: async (input, tools) => tools.tokens.rotate(input.id),
})
