import type { JsonObject } from '../../json/value.ts'
import { isObject } from '../model/turn.ts'
import type { AgentAdapter, Ending, Heard } from './adapter.ts'
import { usualEnding } from './exit-status.ts'

/** Keys of providers, and where they are asked. */
const providerVariables = ['ANTHROPIC', 'OPENAI'].flatMap((provider) =>
  ['API_KEY', 'AUTH_TOKEN', 'BASE_URL', 'MODEL'].map((name) => `${provider}_${name}`),
)

const laterMsUsual = 60_000

/**
 * The loop of `cairn agent`, in the conversation of the agent's session: it records each step itself, and so goes on where any run
 * before it was. What is on its input is added to the conversation first.
 */
export const model: AgentAdapter = {
  invoke({ spec: { profile = { adapter: 'model' } }, session, cairn }) {
    const flags = profile.flags ?? []
    const named = profile.model === undefined ? [] : ['--model', profile.model]
    return {
      argv: [...cairn, 'agent', '--resume', session, '--json', ...named, ...flags],
      passes: providerVariables,
      input: 'task',
      ...(profile.model !== undefined && { model: profile.model }),
    }
  },
  reader: () => ({
    take(line): Heard[] {
      const text = documentIn(line)?.text
      return typeof text === 'string' && text !== '' ? [{ tells: 'result', text }] : []
    },
  }),
  ending({ status, tail, now }): Ending {
    const { error, message } = documentIn(tail.trimEnd().split('\n').at(-1) ?? '') ?? {}
    const reason = typeof message === 'string' ? message : undefined
    if (error === 'rate_limited') {
      return { how: 'failed', cause: 'rate_limit', reason: reason ?? 'Rate limited.', retry_at: now + laterMsUsual }
    }
    const usual = usualEnding(status)
    if (error === 'unavailable') return { how: 'failed', cause: 'network', ...(reason !== undefined && { reason }) }
    return reason === undefined || status === 0 ? usual : { ...usual, reason }
  },
}

function documentIn(line: string): JsonObject | undefined {
  try {
    const read: unknown = JSON.parse(line)
    return isObject(read) ? read : undefined
  } catch {
    return undefined
  }
}
