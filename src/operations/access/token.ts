import { checkFence } from '../../domain/leases/fence.ts'
import { readDuration } from '../../domain/log/duration.ts'
import { oneOf, optional, text } from '../../domain/log/input-schema.ts'
import { readInstant } from '../../domain/log/instant.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { refuseControls } from '../../domain/log/text/plain-text.ts'
import { cursor, limit, session } from '../inputs.ts'
import { upkeep } from '../operation.ts'
import type { Lasting } from '../store/maintenance-port.ts'

const id = text('The token: its id, its name, or the end of its id; `install` is the owner token.', { max: 256 })

/** What is to end at all ends within ten years. */
const ttlMsMax = 3650 * 86_400_000

export const tokenCreate = upkeep({
  name: 'token.create',
  summary: 'Create a token for an agent, bound to its session, or a read-only one; it is shown only once.',
  command: {
    words: ['token create'],
    positional: ['kind'],
    topic: 'Serve',
    examples: ['cairn token create agent --session fix --name fix', 'cairn token create reader --name dashboard'],
  },
  input: {
    kind: oneOf('agent: writes the state of its root and acts on its subtree. reader: reads everything.', [
      'agent',
      'reader',
    ]),
    session,
    name: optional(text('What to call it.', { max: 256, check: refuseControls('The name', 'name') })),
    run: optional(
      text('The run of the agent that it is for; recorded with every write.', {
        max: 128,
        check: refuseControls('The run', 'run'),
      }),
    ),
    lease: optional(text('Writes with it require this lease: NAME:TOKEN.', { max: 320, check: checkFence })),
    ttl: optional(text('How long it is valid: 30s, 5m, 2h, 7d …', { max: 32 })),
    expires_at: optional(text('When it expires, in ISO 8601.', { max: 64 })),
  },
  async run({ kind, session, name, run, lease, ...ending }, tools) {
    const lasting = readLasting(ending)
    if (lasting instanceof Refusal) return lasting
    if (kind === 'agent')
      return tools.tokens.create({ kind, name, run, lease, lasting, place: await tools.placeOf(session) })
    const path = Object.entries({ session, run, lease }).find(([, given]) => given !== undefined)?.[0]
    return path === undefined ? tools.tokens.create({ kind, name, lasting }) : readsEverything(path)
  },
})

function readLasting({ ttl, expires_at: until }: { ttl?: string; expires_at?: string }): Lasting | Refusal {
  if (ttl !== undefined && until !== undefined) {
    return refuse('invalid_input', 'ttl and expires_at were both given.', 'Give one of them.', { path: 'ttl' })
  }
  if (until !== undefined) {
    const at = readInstant(until)
    return at instanceof Refusal ? at : { until: at }
  }
  if (ttl === undefined) return {}
  const ms = readDuration(ttl)
  if (ms instanceof Refusal) return ms
  if (ms > 0 && ms <= ttlMsMax) return { ms }
  return refuse('invalid_input', `A token can be valid for up to 3650d, not ${ttl}.`, 'Choose a time in that range.', {
    path: 'ttl',
  })
}

function readsEverything(path: string): Refusal {
  const hint = `Leave out \`${path}\`, or create an agent token.`
  return refuse(
    'invalid_input',
    'A reader token is not bound to a session, so it cannot have a run or a lease.',
    hint,
    {
      path,
    },
  )
}

export const tokenList = upkeep({
  name: 'token.list',
  summary: 'List the tokens of agents and readers, newest first; secrets are never shown again.',
  command: { words: ['token ls'], topic: 'Serve' },
  input: { limit, cursor: cursor('tok_') },
  run: async (input, tools) => tools.tokens.list(input.limit ?? 50, input.cursor ?? '~'),
})

export const tokenRevoke = upkeep({
  name: 'token.revoke',
  summary: 'Revoke a token immediately, also on open connections.',
  command: { words: ['token revoke'], positional: ['id'], examples: ['cairn token revoke fix'] },
  input: { id },
  run: async (input, tools) => tools.tokens.revoke(input.id),
})

export const tokenRotate = upkeep({
  name: 'token.rotate',
  summary: 'Give a token a new secret, shown only once; the old one is revoked immediately.',
  command: {
    words: ['token rotate'],
    positional: ['id'],
    examples: ['cairn token rotate fix', 'cairn token rotate install'],
  },
  input: { id },
  run: async (input, tools) => tools.tokens.rotate(input.id),
})
