import { filled, type Given } from '../arguments.ts'
import { argumentsOf } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { readSource } from '../sources.ts'
import { usageError } from '../usage.ts'
import { integerOf } from '../values.ts'

/** A prompt is read by a model. */
const promptBytesMax = { limit: 'requestBytes', bytes: 4 * 1024 * 1024 } as const

/** Which conversation is meant: a new one unless said otherwise. */
export type Meant =
  | { readonly kind: 'new'; readonly session: string | undefined }
  | { readonly kind: 'resume' | 'copy' | 'overwrite'; readonly id: string; readonly point: number | undefined }

/** What a line of `cairn agent` asks for. */
export interface AgentRequest {
  readonly home: string | undefined
  readonly store: string | undefined
  readonly meant: Meant
  readonly provider: 'anthropic' | 'openai' | undefined
  readonly model: string | undefined
  readonly baseUrl: string | undefined
  readonly system: string | undefined
  readonly prompt: string | undefined
  readonly maxTurns: number | undefined
  readonly maxTokens: number | undefined
  readonly mcp: string | undefined
}

export async function readAgentRequest(called: Called): Promise<AgentRequest> {
  const given = argumentsOf(called)
  const { home, store, usage } = given
  const whole = (name: string) => wholeNumber(given, name, usage)
  const text = (name: string) => filled(given, name)
  const provider = text('provider')
  if (provider !== undefined && provider !== 'anthropic' && provider !== 'openai')
    throw usageError('--provider must be one of anthropic, openai.', usage)
  const [place] = given.places
  const meant = meantIn(given, usage)
  const system = text('system')
  return {
    home,
    store,
    meant,
    provider,
    model: text('model'),
    baseUrl: text('base-url'),
    system: system?.startsWith('@') ? await readSource(system.slice(1), promptBytesMax) : system,
    prompt: await promptOf(place, meant, usage),
    maxTurns: whole('max-turns'),
    maxTokens: whole('max-tokens'),
    mcp: text('mcp'),
  }
}

function meantIn(given: Given, usage: string): Meant {
  const kinds = (['resume', 'copy', 'overwrite'] as const).filter((kind) => given.flags.has(kind))
  const [kind, second] = kinds
  if (second !== undefined) throw usageError(`--${kind} and --${second} cannot be combined.`, usage)
  const points = { 'to-point': 'copy', 'from-point': 'overwrite' } as const
  for (const [flag, of] of Object.entries(points)) {
    if (given.flags.has(flag) && kind !== of) throw usageError(`--${flag} works only with --${of}.`, usage)
  }
  if (kind === undefined) return { kind: 'new', session: filled(given, 'session') }
  if (given.flags.has('session')) throw usageError(`--session and --${kind} cannot be combined.`, usage)
  const point = kind === 'resume' ? undefined : wholeNumber(given, kind === 'copy' ? 'to-point' : 'from-point', usage)
  return { kind, id: filled(given, kind) as string, point }
}

/** The argument, or what comes on stdin. A conversation that is gone on with needs none. */
async function promptOf(place: string | undefined, meant: Meant, usage: string): Promise<string | undefined> {
  const fromStdin = place === '-' || (place === undefined && !process.stdin.isTTY)
  const text = fromStdin ? await readSource('-', promptBytesMax) : (place ?? '')
  if (text.trim() !== '') return text.trimEnd()
  if (meant.kind !== 'new') return undefined
  throw usageError('cairn agent needs a prompt.', `Give it as an argument or on stdin. ${usage}`)
}

function wholeNumber({ flags }: Given, name: string, usage: string): number | undefined {
  const text = flags.get(name)
  if (text === undefined) return undefined
  const number = integerOf({ member: name, name: `--${name}`, text, usage })
  const min = name.startsWith('max-') ? 1 : 0
  if (number >= min) return number
  throw usageError(`--${name} must be at least ${min}.`, usage)
}
