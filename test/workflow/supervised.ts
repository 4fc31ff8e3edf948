// A root with a workflow, and somebody who supervises it by hand: no process is started.
import type { Move } from '../../src/domain/workflow/moves.ts'
import type { Cairn } from '../../src/open.ts'

/** What is asked of a root here, whoever asks it. */
export type Asked = Pick<Cairn, 'session' | 'lease' | 'log' | 'workflow'>

export interface Supervised {
  readonly root: string
  readonly token: string
  /** Says what becomes of the agents; answers with the codes of what did not fit, each with its place. */
  step(...moves: Move[]): Promise<{ made: number; refused: string[] }>
  /** Starts an agent for the next time: a run of its own. */
  starting(agent: number, attempt?: number): Move
  /** Its last run is over. */
  exiting(agent: number, more?: object): Move
}

export const plain = {
  agents: [
    { id: 'one', run: ['true'] },
    { id: 'two', run: ['true'] },
    { id: 'three', run: ['true'], depends_on: ['one', 'two'] },
  ],
}

export async function supervise(cairn: Asked, workflow: object = plain, more: object = {}): Promise<Supervised> {
  const made = await cairn.session.create({ topic: 'supervised', workflow, ...more } as never)
  const root = made.session_id
  const { token } = await cairn.lease.claim({ session: root, name: 'orchestrator', ttl: '1h' })
  const runs = new Map<number, number>()
  const runOf = (agent: number) => `run_${agent}_${runs.get(agent) ?? 0}`
  return {
    root,
    token,
    async step(...moves) {
      const answer = await cairn.workflow.step({ session: root, fence: `orchestrator:${token}`, moves })
      return { made: answer.made, refused: answer.refused.map(({ index, error }) => `${index} ${error}`) }
    },
    starting(agent, attempt = 1) {
      runs.set(agent, (runs.get(agent) ?? 0) + 1)
      return { move: 'start', agent, run: runOf(agent), rung: 'fresh', attempt, adapter: 'command' }
    },
    exiting: (agent, more = {}) =>
      ({ move: 'exit', agent, run: runOf(agent), how: 'completed', cause: 'exit', exit_code: 0, ...more }) as Move,
  }
}

/** The status of each session of a root, by its number. */
export async function statusesOf(cairn: Asked, root: string, at?: number): Promise<string[]> {
  const { tables } = await cairn.log.rows({ session: root, part: 'sessions', ...(at !== undefined && { at }) })
  return (tables as Record<string, { status: string }[]>).sessions?.map(({ status }) => status) ?? []
}

/** How far an agent is. */
export async function progressOf(cairn: Asked, root: string, agent: number): Promise<Record<string, unknown>> {
  const { tables } = await cairn.log.rows({ session: root, part: 'workflow', table: 'agent_progress' })
  const rows = (tables as Record<string, Record<string, unknown>[]>).agent_progress ?? []
  return rows.find(({ no }) => no === agent) ?? {}
}
