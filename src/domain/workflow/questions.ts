import { question, questions } from '../log/questions.ts'
import { atMost, columnsOf } from '../log/sql/text.ts'
import type { SessionRow } from '../sessions/tables.ts'
import { type AgentProgressRow, type CheckpointRow, checkpoints } from './tables.ts'

/** A root whose workflow is not at its end. */
export interface WorkflowFound {
  id: string
  status: string
  project: string | null
}

/** A session below the root that goes on or waits, and how far its agent is where it is one. */
export type Standing = Pick<SessionRow, 'no' | 'id' | 'name' | 'status' | 'reason' | 'updated_at'> & {
  agent: string | null
  /** Since when its open run goes on. */
  run_at: number | null
  paused_ms: number | null
  paused_at: number | null
  parked: string | null
  wake_at: number | null
}

/** What an agent left, which one it is and how it stands. */
export type ResultFound = Pick<AgentProgressRow, 'no' | 'result' | 'result_seq'> & { id: string; status: string }

/** A fork has the workflow of what it was forked from: it is run once something was said of it there. */
const isFork = 'EXISTS (SELECT 1 FROM segments g WHERE g.root = w.root AND g.origin IS NOT NULL)'
const isMeant = `EXISTS (SELECT 1 FROM events e WHERE e.root = w.root AND e.stream IN ('workflow', 'session/0'))`

/** Children are looked for among so many results: those of a thousand agents are never looked through. */
const resultsLookedAt = 500

/** About what is run below roots. */
export const aboutWorkflow = questions({
  unfinished_workflows: question<WorkflowFound>(`SELECT r.id, s.status, p.dir AS project FROM workflows w
    JOIN roots r ON r.root = w.root AND r.hidden = 0
    JOIN sessions s ON s.root = w.root AND s.no = 0 LEFT JOIN root_projects p ON p.root = w.root
    WHERE r.id > $1 AND (s.status IN ('running', 'paused', 'resumable')
        OR EXISTS (SELECT 1 FROM agent_progress a WHERE a.root = w.root AND a.run IS NOT NULL))
      AND (NOT ${isFork} OR ${isMeant}) ORDER BY r.id ${atMost(2)}`),
  /** How many agents of a root have which status. */
  agents_counted: question<{ status: string; count: number }>(`SELECT s.status, count(*) AS count FROM agents a
    JOIN sessions s ON s.root = a.root AND s.no = a.no WHERE a.root = $1 GROUP BY s.status ORDER BY s.status`),
  /**
   * Sessions below a root of one status ($2) or another; which stands so longest first, and how many there are. An agent whose run is
   * over does not run, whatever becomes of it next; another session whose program has ended waits for nothing.
   */
  standing: question<Standing & { total: number }>(`SELECT s.no, s.id, s.name, s.status, s.reason, s.updated_at,
      a.id AS agent, p.run_at, p.paused_ms, p.paused_at, p.parked, p.wake_at, count(*) OVER () AS total
    FROM sessions s LEFT JOIN agents a ON a.root = s.root AND a.no = s.no
    LEFT JOIN agent_progress p ON p.root = s.root AND p.no = s.no
    WHERE s.root = $1 AND s.no > 0 AND (s.status = $2 OR s.status = $3)
      AND ((a.no IS NULL AND s.status <> 'resumable') OR (a.no IS NOT NULL AND s.status <> 'running') OR p.run IS NOT NULL)
    ORDER BY s.updated_at, s.no ${atMost(4)}`),
  /** Sessions that are no agents and were ended because of something, after a time and up to another; the newest first, and how many. */
  ended_so: question<
    Pick<SessionRow, 'no' | 'id' | 'name' | 'status' | 'reason'> & { ended_at: number; total: number }
  >(
    `SELECT s.no, s.id, s.name, s.status, s.reason, s.ended_at, count(*) OVER () AS total FROM sessions s
      WHERE s.root = $1 AND s.no > 0 AND s.ended_at > $2 AND (s.status = 'failed' OR s.reason = $3)
      AND NOT EXISTS (SELECT 1 FROM agents a WHERE a.root = s.root AND a.no = s.no)
      ORDER BY s.ended_at DESC, s.no ${atMost(4)}`,
  ),
  /** The last one up to an event. */
  last_checkpoint: question<CheckpointRow>(
    `SELECT ${columnsOf(checkpoints)} FROM checkpoints WHERE root = $1 AND seq <= $2 ORDER BY seq DESC LIMIT 1`,
  ),
  /** What the children of a session left, or all agents of a root: the newest first, as many as were asked for. */
  results_newest: question<ResultFound>(`SELECT p.no, p.result, p.result_seq, a.id, s.status FROM
    (SELECT root, no FROM agent_progress WHERE root = $1 AND result_seq IS NOT NULL
      ORDER BY result_seq DESC LIMIT ${resultsLookedAt}) f
    JOIN agent_progress p ON p.root = f.root AND p.no = f.no
    JOIN agents a ON a.root = f.root AND a.no = f.no
    JOIN sessions s ON s.root = f.root AND s.no = f.no
    WHERE (s.parent_no = $3 OR $3 = 0) ORDER BY p.result_seq DESC ${atMost(2)}`),
})
