import { writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join, sep } from 'node:path'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { ownTree } from '../../domain/workflow/file/own-tree.ts'
import { type SettledAgent, settledAgent } from '../../domain/workflow/settled.ts'
import { withOutputs } from '../../domain/workflow/template.ts'
import { serverFile } from '../../home/discovery.ts'
import { holderHere } from '../../home/lease-holder.ts'
import { plainEnvironment } from '../../home/plain-environment.ts'
import { realPath } from '../../home/session-meant.ts'
import { tokenCreate } from '../../operations/access/token.ts'
import { journalBrief } from '../../operations/brief/brief.ts'
import { leaseClaim } from '../../operations/leases/lease.ts'
import { workflowLook } from '../../operations/workflow/look.ts'
import type { Launch } from '../../orchestrator/effects.ts'
import type { Invocation } from '../adapters/adapter.ts'
import { agentAdapters } from '../adapters/index.ts'
import { type ResultTold, taskText } from '../adapters/task-text.ts'
import { launch } from '../processes/launch.ts'
import type { RunFolder, ShimProcess } from '../processes/run-folder.ts'
import { agentTree } from '../trees/agent-tree.ts'
import { type Ground, perform } from './ground.ts'
import { resultText } from './result.ts'
import { type AgentLook, type Look, resultOf, specOf, workflowOf } from './seen-rows.ts'

/** The longest that a lease can be held without a heartbeat; while its run goes on it gets one now and then. */
const leaseTtl = '24h'
/** A token ends with its run; one whose end nobody saw ends by itself. */
const tokenTtl = '30d'

/** A run that is to be started. */
export interface Starting {
  /** The id of the root. */
  readonly root: string
  readonly wanted: Launch
  readonly folder: RunFolder
  /** Called when its shim ends, if this process is there to see it. */
  readonly onExit: () => void
}

/** Starts the process of a run that stands in the log. Refused where that cannot be done. */
export async function startAgent(ground: Ground, starting: Starting): Promise<ShimProcess | undefined | Refusal> {
  const { root, wanted, folder } = starting
  // What the others have left is in the log by now.
  const numbers = [wanted.agent, ...wanted.inputs, ...wanted.children]
  const look = await perform(ground, workflowLook, { session: root, agents: numbers })
  const [agent] = look.agents
  if (agent?.no !== wanted.agent) throw new Error(`there is no agent ${wanted.agent}`)
  const spec = settledAgent(specOf(agent), workflowOf(look))
  const adapter = agentAdapters[spec.adapter]
  if (adapter === undefined) return noAdapter(spec)
  const cwd = await folderOf(ground, look, agent, spec)
  if (cwd instanceof Refusal) return cwd
  folder.make()
  const [taskFile, mcpFile] = [folder.file('task.md'), folder.file('mcp.json')]
  const invocation = adapter.invoke({
    spec,
    rung: wanted.rung,
    session: agent.session_id,
    providerSession: agent.provider_session_id ?? undefined,
    taskFile,
    mcpFile,
    cairn: ground.cairn,
  })
  if (invocation instanceof Refusal) return invocation
  writeFileSync(taskFile, await taskOf(ground, look, wanted, spec), { mode: 0o600 })
  writeFileSync(mcpFile, mcpConfiguration, { mode: 0o600 })
  const rights = await rightsOf(ground, agent, wanted.run)
  const env = {
    ...environmentOf(ground, spec, invocation),
    ...told(ground, look, agent, folder),
    CAIRN_TOKEN: rights.token,
  }
  return launch(
    folder,
    { root: look.root_session_id, session: agent.session_id, token: { id: rights.id, lease: rights.lease } },
    { ...invocation, env, cwd, errorsApart: adapter.reader !== undefined, onExit: starting.onExit },
  )
}

/** It may write as the agent for as long as this run is the agent's: whoever comes later takes the lease over. */
async function rightsOf(ground: Ground, { no, session_id: session }: AgentLook, run: string) {
  const asked = { session, name: `agent/${no}`, ttl: leaseTtl, holder: holderHere('cairn'), reclaim: true }
  const claimed = await perform(ground, leaseClaim, asked)
  const lease = `${claimed.name}:${claimed.token}`
  const { id, token } = await perform(ground, tokenCreate, { kind: 'agent', session, run, lease, ttl: tokenTtl })
  return { id, token, lease }
}

/** What any program needs, what its adapter and the workflow let through, and what the workflow sets. */
function environmentOf(ground: Ground, { env }: SettledAgent, { passes = [] }: Invocation): Record<string, string> {
  const passed = plainEnvironment(ground.environment, [...passes, ...(env.pass ?? [])])
  const program = ground.cairn.at(-1) ?? ''
  const own = basename(program) === 'cairn' ? [dirname(program)] : []
  const PATH = [...(passed.PATH ?? '').split(delimiter).filter((folder) => folder !== ''), ...own].join(delimiter)
  return { ...passed, PATH, ...env.set }
}

/** What it is told of itself. */
function told(ground: Ground, look: Look, agent: AgentLook, folder: RunFolder): Record<string, string> {
  return {
    AGENT_SESSION_ID: agent.session_id,
    AGENT_SESSION_NAME: agent.name,
    AGENT_ROOT_SESSION_ID: look.root_session_id,
    AGENT_ROOT_SESSION_NAME: look.name,
    CAIRN_URL: ground.url,
    CAIRN_SERVER_FILE: serverFile(ground.home),
    CAIRN_RUN_ID: folder.run,
    CAIRN_TASK_FILE: folder.file('task.md'),
    CAIRN_OUTPUT: folder.file('result'),
    CAIRN_MCP_CONFIG: folder.file('mcp.json'),
  }
}

/**
 * Programs for agents put the variables in its place: the token stands in no file. Claude Code would search for its tools instead of
 * offering them, and begin a first turn without them, unless it is told to load them.
 */
const mcpConfiguration = `${JSON.stringify(
  {
    mcpServers: {
      cairn: {
        type: 'http',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it is filled in by whoever reads the file.
        url: '${CAIRN_URL}/mcp',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: as above.
        headers: { Authorization: 'Bearer ${CAIRN_TOKEN}' },
        alwaysLoad: true,
      },
    },
  },
  null,
  2,
)}\n`

/** The directory of the project, one below it, or that of the agent's own work tree. */
async function folderOf(
  { home, environment }: Ground,
  root: Look,
  { session_id: session }: AgentLook,
  { id, cwd }: SettledAgent,
): Promise<string | Refusal> {
  const project = realPath(root.project_dir ?? process.cwd())
  if (cwd === ownTree) return agentTree({ home, environment, project, root, agent: { id, session } })
  const folder = realPath(join(project, cwd ?? '.'))
  if (folder === project || folder.startsWith(project === sep ? sep : project + sep)) return folder
  const message = `The directory of agent ${id} is not below the project ${project}.`
  return refuse('invalid_input', message, 'Set `cwd` to a directory of the project.', { cwd: cwd ?? '.' })
}

async function taskOf(ground: Ground, look: Look, wanted: Launch, { task, adapter }: SettledAgent): Promise<string> {
  const agents = new Map(look.agents.map((agent) => [agent.no, agent]))
  const results = async (numbers: readonly number[]): Promise<ResultTold[]> =>
    Promise.all(
      numbers.flatMap((no) => {
        const other = agents.get(no)
        return other === undefined ? [] : [resultTold(ground, look.root_session_id, other)]
      }),
    )
  const inputs = await results(wanted.inputs)
  const goesOn = wanted.rung === 'resume' || wanted.rung === 'replay'
  const outputs = new Map(inputs.map(({ id, text }) => [id, text.trimEnd()]))
  return taskText({
    objective: look.objective ?? undefined,
    task: withOutputs(task, (id) => outputs.get(id) ?? ''),
    inputs,
    children: await results(wanted.children),
    woken: wanted.woken,
    goesOn,
    // Programs ask for one where they want it; it is made for models.
    brief: adapter === 'command' || goesOn ? undefined : await briefOf(ground, look.root_session_id),
  })
}

/** Where the work stands. */
async function briefOf(ground: Ground, session: string): Promise<string> {
  return (await perform(ground, journalBrief, { session })).text
}

async function resultTold(ground: Ground, root: string, agent: AgentLook): Promise<ResultTold> {
  return { id: specOf(agent).id, status: agent.status, ...(await resultText(ground, root, resultOf(agent))) }
}

function noAdapter({ id, adapter }: SettledAgent): Refusal {
  const known = Object.keys(agentAdapters).join(', ')
  const message = `Agent ${id} uses the adapter ${adapter}, which this version cannot run.`
  return refuse('invalid_input', message, `Use one of: ${known}.`, { adapter })
}
