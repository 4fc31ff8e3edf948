import { redactValues, secretsOf } from '../../../domain/conversations/secret-values.ts'
import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import type { Environment } from '../../../home/plain-environment.ts'
import { anthropicProvider } from '../../../runner/model/anthropic.ts'
import type { Endpoint } from '../../../runner/model/endpoint.ts'
import { openaiProvider } from '../../../runner/model/openai.ts'
import type { Provider } from '../../../runner/model/turn.ts'
import type { AgentRequest } from './agent-request.ts'

/** Variables that hold keys of providers: no tool server gets them. */
export const keyVariables = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'OPENAI_API_KEY'] as const

/** The model that a line asks for, with the key that the environment has for it. */
export function chosenProvider(request: AgentRequest, env: Environment, onRetry: (note: string) => void): Provider {
  const kind = request.provider ?? guessed(env)
  const upper = kind === 'anthropic' ? 'ANTHROPIC' : 'OPENAI'
  const model = request.model ?? env[`${upper}_MODEL`]
  if (!model) {
    const hint = `Name one with --model, or set ${upper}_MODEL.`
    throw new CairnRefusal(refuse('usage', 'No model is named.', hint))
  }
  const base = baseUrl(request.baseUrl ?? env[`${upper}_BASE_URL`], kind)
  const keys = kind === 'anthropic' ? anthropicKey(env) : openaiKey(env)
  if (base.isUsual && Object.keys(keys.headers).length === 0) {
    const message = `There is no key for ${new URL(base.url).host}.`
    throw new CairnRefusal(refuse('unauthorized', message, `Set ${keys.variable}.`, { variable: keys.variable }))
  }
  const secrets = secretsOf(env)
  const endpoint: Endpoint = {
    url: `${base.url}${kind === 'anthropic' ? '/v1/messages' : '/chat/completions'}`,
    headers: keys.headers,
    keyVariable: keys.variable,
    clean: (text) => redactValues(text, secrets).value,
    onRetry,
  }
  const options = { model, maxTokens: request.maxTokens }
  return kind === 'anthropic' ? anthropicProvider(endpoint, options) : openaiProvider(endpoint, options)
}

function guessed(env: Environment): 'anthropic' | 'openai' {
  if (env.ANTHROPIC_API_KEY || env.ANTHROPIC_AUTH_TOKEN) return 'anthropic'
  if (env.OPENAI_API_KEY) return 'openai'
  if (env.ANTHROPIC_BASE_URL) return 'anthropic'
  if (env.OPENAI_BASE_URL) return 'openai'
  const hint = 'Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name the endpoint with --provider and --base-url.'
  throw new CairnRefusal(refuse('unauthorized', 'No key of a provider is set.', hint))
}

interface Key {
  readonly variable: string
  readonly headers: Record<string, string>
}

function anthropicKey({ ANTHROPIC_API_KEY: key, ANTHROPIC_AUTH_TOKEN: token }: Environment): Key {
  const version = { 'anthropic-version': '2023-06-01' }
  if (!key && token)
    return { variable: 'ANTHROPIC_AUTH_TOKEN', headers: { ...version, authorization: `Bearer ${token}` } }
  return { variable: 'ANTHROPIC_API_KEY', headers: { ...version, ...(key && { 'x-api-key': key }) } }
}

function openaiKey({ OPENAI_API_KEY: key }: Environment): Key {
  return { variable: 'OPENAI_API_KEY', headers: key ? { authorization: `Bearer ${key}` } : {} }
}

function baseUrl(given: string | undefined, kind: 'anthropic' | 'openai'): { url: string; isUsual: boolean } {
  const usual = kind === 'anthropic' ? 'https://api.anthropic.com' : 'https://api.openai.com/v1'
  if (!given) return { url: usual, isUsual: true }
  const url = given.replace(/\/+$/, '')
  if (URL.canParse(url) && /^https?:/.test(url)) return { url, isUsual: false }
  const hint = `Give a URL such as ${usual}.`
  throw new CairnRefusal(refuse('invalid_input', `${JSON.stringify(given)} is not a URL of an endpoint.`, hint))
}
