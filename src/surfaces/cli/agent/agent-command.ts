import { hash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { ContextService } from '../../../client/context/conversation.ts'
import { type Cairn, interfaceOf } from '../../../client/interface.ts'
import { LocalPerformer } from '../../../client/local.ts'
import { secretsOf } from '../../../domain/conversations/secret-values.ts'
import { CairnRefusal, Refusal } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { destinationHere } from '../../../home/destination.ts'
import { actorHere, meantHere, projectHere } from '../../../home/session-meant.ts'
import { operations } from '../../../operations/index.ts'
import type { AnyAnswered, AnyStream } from '../../../operations/operation.ts'
import { type LoopOutcome, runLoop } from '../../../runner/agent/loop.ts'
import { RunRecord } from '../../../runner/agent/run-record.ts'
import type { Provider } from '../../../runner/model/turn.ts'
import { type ToolServer, ToolSet } from '../../../runner/tools/tool-set.ts'
import { printJson, printNote, safe } from '../output.ts'
import type { Called } from '../registry/own-command.ts'
import { type AgentRequest, readAgentRequest } from './agent-request.ts'
import { agentWriter } from './agent-writer.ts'
import { chosenProvider, keyVariables } from './chosen-provider.ts'
import { serversIn } from './mcp-file.ts'
import { Screen } from './screen.ts'

const agentName = 'agent'
const maxTurnsUsual = 50
/** Characters of a prompt that make the topic of a new root. */
const topicMax = 80

type AgentStore = Pick<Cairn, 'session' | 'context' | 'blob' | 'lease' | 'run'>

/** `cairn agent`: a model with tools, until it has answered. */
export async function runAgentCommand(called: Called): Promise<number> {
  const { json, program } = called
  const request = await readAgentRequest(called)
  const screen = new Screen(json)
  const provider = chosenProvider(request, process.env, (note) => screen.onNote(note))
  const named = request.mcp === undefined ? [] : serversIn(request.mcp, process.env, homeOf(request))
  const performer = new LocalPerformer({
    ...destinationHere(request),
    meant: { ...meantHere(), actor: actorHere() },
    waits: 'yielding',
  })
  try {
    const cairn = storeOf(performer)
    const context = await conversationOf(request, cairn)
    try {
      return await work({ request, cairn, context, provider, named, program: program.file, screen })
    } finally {
      await context.close().catch(() => undefined)
    }
  } finally {
    await performer.close()
  }
}

/** The data folder, which has what was trusted. */
function homeOf(request: AgentRequest): string {
  const config = loadConfig({ home: request.home })
  if (config instanceof Refusal) throw new CairnRefusal(config)
  return config.home
}

function storeOf(performer: LocalPerformer): AgentStore {
  const methods = interfaceOf<AnyAnswered, AnyStream>(operations, performer)
  return { ...methods, blob: { ...methods.blob, ...performer.blobs } }
}

/** The conversation that is meant, with this process as its writer. */
async function conversationOf({ meant, prompt = '' }: AgentRequest, cairn: AgentStore): Promise<ContextService> {
  const common = { cairn, agentName, secrets: secretsOf(process.env), persist: true }
  if (meant.kind === 'new') {
    return agentWriter({ ...common, session: meant.session ?? (await sessionHere(cairn, prompt)) })
  }
  if (meant.kind === 'copy') {
    const point = meant.point === undefined ? {} : { to_point: meant.point }
    const copy = await cairn.context.copy({ session: meant.id, ...point })
    return agentWriter({ ...common, instanceId: copy.session_id })
  }
  const { session_id: instanceId } = await cairn.session.show({ session: meant.id })
  const context = await agentWriter({ ...common, instanceId })
  if (meant.point !== undefined) {
    await context.truncateAfterSequence(meant.point).catch(async (error: unknown) => {
      await context.close()
      throw error
    })
  }
  return context
}

/** The session of this folder; where there is none yet, work begins with this agent. */
async function sessionHere({ session }: AgentStore, prompt: string): Promise<string> {
  try {
    return (await session.show({})).session_id
  } catch (error) {
    if (!(error instanceof CairnRefusal) || error.code !== 'no_session') throw error
    const topic = prompt.replace(/\s+/g, ' ').trim().slice(0, topicMax).toWellFormed()
    return (await session.create({ topic, project: projectHere() })).session_id
  }
}

interface Work {
  readonly request: AgentRequest
  readonly cairn: AgentStore
  readonly context: ContextService
  readonly provider: Provider
  readonly named: readonly ToolServer[]
  readonly program: URL
  readonly screen: Screen
}

async function work({ request, cairn, context, provider, named, program, screen }: Work): Promise<number> {
  const { root_session_id: root } = await cairn.session.show({ session: context.instanceId })
  const own = ownServer(request, context.instanceId, root, program)
  const tools = await ToolSet.start([own, ...named])
  const stopping = new AbortController()
  const stop = () => stopping.abort(new Error('interrupted'))
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, stop)
  try {
    const system = await systemOf(context, request.system)
    const made = {
      session: context.instanceId,
      model: provider.model,
      prompt: hash('sha256', system, 'hex'),
      tools: tools.hash,
    }
    const run = await RunRecord.start(cairn, made, process.env.CAIRN_RUN_ID)
    for (const change of run.changed) screen.onNote(change)
    const loop = runLoop({
      context,
      provider,
      tools,
      signal: stopping.signal,
      maxTurns: request.maxTurns ?? maxTurnsUsual,
      prompt: request.prompt,
      repeatsCalls: request.meant.kind !== 'copy',
      watcher: {
        onText: (text) => screen.onText(text),
        onTurn: (usage) => run.report(usage),
        onCall: (call) => screen.onCall(call),
        onResult: (call, result) => screen.onResult(call, result),
        onNote: (note) => screen.onNote(note),
      },
    })
    const outcome = await ended(loop, run, stopping.signal)
    if (outcome === undefined) {
      printNote(`Interrupted. Go on with: cairn agent --resume ${context.instanceId}\n`)
      return 1
    }
    show(outcome, context.instanceId, root, run, screen)
    return 0
  } finally {
    for (const signal of signals) process.off(signal, stop)
    screen.endLine()
    await tools.close()
  }
}

/** Records how a run ended; undefined where it was interrupted. */
async function ended(
  loop: Promise<LoopOutcome>,
  run: RunRecord,
  signal: AbortSignal,
): Promise<LoopOutcome | undefined> {
  try {
    const outcome = await loop
    await run.end('completed')
    return outcome
  } catch (error) {
    if (signal.aborted) {
      await run.end('cancelled').catch(() => undefined)
      return undefined
    }
    await run.end('failed', (error as Error).message).catch(() => undefined)
    throw error
  }
}

/** The system prompt of a conversation: one that is given anew is added to what it has. */
async function systemOf(context: ContextService, asked: string | undefined): Promise<string> {
  const prompts = async () =>
    (await context.getEvents()).flatMap(({ eventType, content }) =>
      eventType === 'system_message'
        ? [typeof content.content === 'string' ? content.content : JSON.stringify(content)]
        : [],
    )
  const before = await prompts()
  if (asked === undefined || before.at(-1) === asked) return before.join('\n')
  await context.appendMessage('system', asked)
  return (await prompts()).join('\n')
}

/** Cairn's own tools, as the session of the agent. The keys of providers are no business of theirs. */
function ownServer({ home, store }: AgentRequest, session: string, root: string, program: URL): ToolServer {
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || keyVariables.some((key) => key === name) ? [] : [[name, value]],
    ),
  )
  const places = [...(home === undefined ? [] : ['--home', home]), ...(store === undefined ? [] : ['--store', store])]
  return {
    name: 'cairn',
    command: process.execPath,
    args: [fileURLToPath(program), 'mcp', ...places],
    env: { ...env, AGENT_SESSION_ID: session, AGENT_ROOT_SESSION_ID: root },
    isOwn: true,
  }
}

function show(
  { text, turns, stopReason }: LoopOutcome,
  session: string,
  root: string,
  run: RunRecord,
  screen: Screen,
): void {
  const { input, output, cached } = run.used
  const usage = { input_tokens: input, output_tokens: output, cached_tokens: cached }
  if (screen.isJson) {
    printJson({ session_id: session, root_session_id: root, run: run.id, text, turns, stop_reason: stopReason, usage })
    return
  }
  screen.end(text)
  if (stopReason === 'max_turns') screen.onNote('the maximum number of turns was reached')
  if (stopReason === 'max_tokens' || stopReason === 'length') screen.onNote('the answer was cut off at --max-tokens')
  screen.onNote(
    safe(`session ${session} · ${turns} ${turns === 1 ? 'turn' : 'turns'} · ${input} tokens in, ${output} out`),
  )
}
