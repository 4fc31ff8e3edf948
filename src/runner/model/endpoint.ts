import { sleep } from '../../clock.ts'
import { CairnRefusal, type RefusalCode, refuse } from '../../domain/log/refusal.ts'
import { jitter } from '../../web-clock.ts'
import { BrokenAnswer } from './turn.ts'

/** How often an endpoint that is busy, out of order or out of reach is asked before it is given up. */
const triesMax = 6
/** How often an answer that made no sense is asked for again. */
const brokenMax = 3
const firstWaitMs = 500
const lastWaitMs = 20_000
/** Whoever wants to be left alone for longer than this is reported, not waited for. */
const retryAfterMsMax = 60_000
/** Characters of what an endpoint says that go into a report. */
const saidMax = 300

export interface Endpoint {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The variable that holds the key, or would. */
  readonly keyVariable: string
  /** Takes secrets out of what the endpoint says. */
  readonly clean: (text: string) => string
  /** Told of what is tried again. */
  readonly onRetry: (note: string) => void
}

type Asked<Out> = (body: ReadableStream<Uint8Array>) => Promise<Out>

/** Asks an endpoint until it has answered whole, for as long as there is hope. Throws refusals. */
export async function askEndpoint<Out>(
  endpoint: Endpoint,
  request: object,
  signal: AbortSignal,
  read: Asked<Out>,
): Promise<Out> {
  let broken = 0
  for (let tries = 1; ; tries++) {
    signal.throwIfAborted()
    const failure = await attempt(endpoint, request, signal, read)
    if ('answer' in failure) return failure.answer
    signal.throwIfAborted()
    if (failure.isBroken) broken++
    if (failure.isFinal || tries >= triesMax || broken >= brokenMax)
      throw new CairnRefusal(reportOf(endpoint, failure, tries))
    const pause = failure.retryMs ?? Math.min(lastWaitMs, firstWaitMs * 2 ** (tries - 1)) * (0.5 + jitter())
    endpoint.onRetry(`${failure.what}; asking again`)
    await sleep(pause, signal)
  }
}

interface Failure {
  readonly what: string
  readonly code: RefusalCode
  readonly isFinal?: boolean
  readonly isBroken?: boolean
  readonly retryMs?: number | undefined
}

async function attempt<Out>(
  { url, headers, clean }: Endpoint,
  request: object,
  signal: AbortSignal,
  read: Asked<Out>,
): Promise<{ answer: Out } | Failure> {
  const host = new URL(url).host
  let response: Response
  try {
    const sent = { 'content-type': 'application/json', ...headers }
    response = await fetch(url, {
      method: 'POST',
      headers: sent,
      body: JSON.stringify(request),
      signal,
      redirect: 'error',
    })
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    return { what: `${host} cannot be reached (${code ?? (error as Error).message})`, code: 'unavailable' }
  }
  if (!response.ok || response.body === null) return failureOf(response, host, clean)
  try {
    return { answer: await read(response.body) }
  } catch (error) {
    if (error instanceof CairnRefusal) throw error
    const why = error instanceof BrokenAnswer ? error.message : 'the connection was lost'
    return { what: `The answer of ${host} cannot be used: ${clean(why)}`, code: 'unavailable', isBroken: true }
  }
}

async function failureOf(response: Response, host: string, clean: (text: string) => string): Promise<Failure> {
  const { status } = response
  const text = clean(saidIn(await response.text().catch(() => '')))
  const what = `${host} answered ${status}${text === '' ? '' : `: ${text}`}`
  if (status === 401 || status === 403) return { what, code: 'unauthorized', isFinal: true }
  if (status !== 408 && status !== 409 && status !== 429 && status < 500)
    return { what, code: 'bad_request', isFinal: true }
  const retryMs = retryMsIn(response.headers)
  const isFinal = (retryMs ?? 0) > retryAfterMsMax
  return { what, code: status === 429 ? 'rate_limited' : 'unavailable', retryMs, isFinal }
}

function retryMsIn(headers: Headers): number | undefined {
  const given = headers.get('retry-after') ?? ''
  return /^\d+(?:\.\d+)?$/.test(given) ? Number(given) * 1000 : undefined
}

/** What an endpoint says is wrong, in whichever of the usual shapes. */
function saidIn(text: string): string {
  let said = text
  try {
    const { error, message } = JSON.parse(text) as { error?: { message?: string } | string; message?: string }
    said = (typeof error === 'object' ? error.message : error) ?? message ?? text
  } catch {
    // It is shown as it is.
  }
  return String(said).replace(/\s+/g, ' ').trim().slice(0, saidMax).toWellFormed()
}

function reportOf({ keyVariable, headers }: Endpoint, { what, code }: Failure, tries: number) {
  if (code === 'unauthorized') {
    const hasKey = 'x-api-key' in headers || 'authorization' in headers
    const hint = hasKey ? `Check the key in ${keyVariable}.` : `Set ${keyVariable} to a key of that endpoint.`
    return refuse(code, `${what}.`, hint, { variable: keyVariable })
  }
  if (code === 'bad_request') return refuse(code, `${what}.`, 'Check --model, --base-url and --provider.')
  const times = tries === 1 ? '' : ` ${tries} times`
  const hint = 'Nothing is lost: go on later with cairn agent --resume and the id of the session.'
  return refuse(code, `Asked${times}, without an answer. The last: ${what}.`, hint, { tries })
}
