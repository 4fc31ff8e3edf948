// Written by `npm run generate` from the definitions of the operations; change those, then run it.
import type { FeedEvent } from '../../domain/log/event.ts'
import type { RefusalCode } from '../../domain/log/refusal.ts'
import type { Json, JsonObject } from '../../json/value.ts'

/** What `cairn.session.create` takes. */
export type SessionCreateInput = {
  /** What the work is about, in a few words. */
  topic: string
  /** The parent session; without it, a root is created. */
  parent?: string | undefined
  /** A name, unique among the sessions of one root. */
  name?: string | undefined
  /** full, quick or research; default full. */
  type?: "full" | "quick" | "research" | undefined
  /** The goal of the work. */
  objective?: string | undefined
  /** A longer description. */
  description?: string | undefined
  /** How agents are started. */
  strategy?: "adaptive" | "parallel" | "pipeline" | "sequential" | undefined
  /** Anything else, as a JSON object. */
  metadata?: JsonObject | undefined
  /** The first state of a new root. */
  initial_state?: JsonObject | undefined
  /** What is to be run below a new root, as in a workflow file; nothing is started yet. */
  workflow?: JsonObject | undefined
  /** The working directory this belongs to. */
  project?: string | undefined
  /** The same; sessions get a folder there from now on. */
  project_dir?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `parent`. */
  parent_session_id?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
  /** Another name of `name`. */
  session_name?: string | undefined
  /** Another name of `type`. */
  session_type?: "full" | "quick" | "research" | undefined
}

/** What `cairn.session.create` answers. */
export type SessionCreateAnswer = {
  session_id: string
  root_session_id: string
  session_name: string
  slug: string
  status: string
  dir?: string
}

/** What `cairn.session.list` takes. */
export type SessionListInput = {
  /** Include ended sessions. */
  all?: boolean | undefined
  /** Only those of this working directory. */
  project?: string | undefined
  /** Maximum number of results. */
  limit?: number | undefined
  /** The next_cursor of the previous page. */
  cursor?: string | undefined
  /** Each root as of this sequence number of its log, or at its end if that comes first. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
}

/** What `cairn.session.list` answers. */
export type SessionListAnswer = {
  sessions: Array<{
    session_id: string
    session_name: string
    slug: string
    root_session_id: string
    parent_session_id: string | null
    status: "cancelled" | "completed" | "created" | "failed" | "paused" | "resumable" | "running" | "skipped"
    reason: string | null
    session_type: string
    topic: string
    objective: string | null
    description: string | null
    strategy: string | null
    metadata: JsonObject
    project_dir: string | null
    depth: number
    created_at: string
    updated_at: string
    ended_at: string | null
    last_event_at: string
    forked_from?: {
      session_id: string | null
      at: number
    }
  }>
  next_cursor: string | null
}

/** What `cairn.session.show` takes. */
export type SessionShowInput = {
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.show` answers. */
export type SessionShowAnswer = {
  root_disk?: {
    bytes: number
    limit: number
  }
  children: string[]
  forked_from?: {
    session_id: string | null
    at: number
  }
  session_id: string
  session_name: string
  slug: string
  root_session_id: string
  parent_session_id: string | null
  status: "cancelled" | "completed" | "created" | "failed" | "paused" | "resumable" | "running" | "skipped"
  reason: string | null
  session_type: string
  topic: string
  objective: string | null
  description: string | null
  strategy: string | null
  metadata: JsonObject
  project_dir: string | null
  depth: number
  created_at: string
  updated_at: string
  ended_at: string | null
}

/** What `cairn.session.tree` takes. */
export type SessionTreeInput = {
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** Include the forks of the root and their forks, each with the event it follows. */
  forks?: boolean | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

export type SessionTreeAnswerBranch = {
  session_id: string
  session_name: string
  slug: string
  root_session_id: string
  parent_session_id: string | null
  status: "cancelled" | "completed" | "created" | "failed" | "paused" | "resumable" | "running" | "skipped"
  reason: string | null
  session_type: string
  topic: string
  objective: string | null
  description: string | null
  strategy: string | null
  metadata: JsonObject
  project_dir: string | null
  depth: number
  created_at: string
  updated_at: string
  ended_at: string | null
  children: SessionTreeAnswerBranch[]
}

export type SessionTreeAnswerForkShown = {
  session_id: string | null
  session_name: string | null
  slug: string | null
  status: string
  topic: string | null
  updated_at: string | null
  /** The event that it was forked after. */
  at: number
  forks: SessionTreeAnswerForkShown[]
}

/** What `cairn.session.tree` answers. */
export type SessionTreeAnswer = {
  session_id: string
  session_name: string
  slug: string
  root_session_id: string
  parent_session_id: string | null
  status: "cancelled" | "completed" | "created" | "failed" | "paused" | "resumable" | "running" | "skipped"
  reason: string | null
  session_type: string
  topic: string
  objective: string | null
  description: string | null
  strategy: string | null
  metadata: JsonObject
  project_dir: string | null
  depth: number
  created_at: string
  updated_at: string
  ended_at: string | null
  children: SessionTreeAnswerBranch[]
  forked_from?: {
    session_id: string | null
    at: number
  }
  forks?: SessionTreeAnswerForkShown[]
}

/** What `cairn.session.join` takes. */
export type SessionJoinInput = {
  /** What the client calls itself. */
  client: string
  /** The name of the machine that the process runs on. */
  host: string
  /** The life of that machine. */
  boot: string
  /** The space that its pid counts in. */
  space: string
  /** Its pid. */
  pid: number
  /** When it was started, as its system says. */
  started: string
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.join` answers. */
export type SessionJoinAnswer = {
  session_id: string
  root_session_id: string
  session_name: string
  slug: string
  status: string
}

/** What `cairn.session.end` takes. */
export type SessionEndInput = {
  /** How it ended; default completed. */
  status?: "cancelled" | "completed" | "failed" | undefined
  /** Why. */
  reason?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.end` answers. */
export type SessionEndAnswer = {
  session_id: string
  root_session_id: string
  status: "cancelled" | "completed" | "failed"
  also_ended: string[]
}

/** What `cairn.session.fork` takes. */
export type SessionForkInput = {
  /** After this sequence number of the log; default the last event. */
  at?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.fork` answers. */
export type SessionForkAnswer = {
  session_id: string
  root_session_id: string
  origin_session_id: string
  at: number
  status: string
  /** Of one that had ended by then: the event that ended it. */
  ended_seq?: number
}

/** What `cairn.session.start` takes. */
export type SessionStartInput = {
  /** One agent: the id in its workflow, its name, or the id of its session. */
  agent?: string | undefined
  /** One phase, by its name or number. */
  phase?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.start` answers. */
export type SessionStartAnswer = {
  session_id: string
  root_session_id: string
  session_name: string
  status: string
  /** Of an agent: what its workflow calls it. */
  id?: string
  /** Whether a person wants it to stand still. */
  held?: boolean
  phase?: number
  /** How many agents were told something. */
  agents: number
  seq: number
}

/** What `cairn.session.pause` takes. */
export type SessionPauseInput = {
  /** One agent: the id in its workflow, its name, or the id of its session. */
  agent?: string | undefined
  /** One phase, by its name or number. */
  phase?: string | undefined
  /** All of a root: interrupt its agents, whatever their workflow says. */
  interrupt?: boolean | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.pause` answers. */
export type SessionPauseAnswer = {
  session_id: string
  root_session_id: string
  session_name: string
  status: string
  /** Of an agent: what its workflow calls it. */
  id?: string
  /** Whether a person wants it to stand still. */
  held?: boolean
  phase?: number
  /** How many agents were told something. */
  agents: number
  seq: number
}

/** What `cairn.session.resume` takes. */
export type SessionResumeInput = {
  /** One agent: the id in its workflow, its name, or the id of its session. */
  agent?: string | undefined
  /** One phase, by its name or number. */
  phase?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.resume` answers. */
export type SessionResumeAnswer = {
  session_id: string
  root_session_id: string
  session_name: string
  status: string
  /** Of an agent: what its workflow calls it. */
  id?: string
  /** Whether a person wants it to stand still. */
  held?: boolean
  phase?: number
  /** How many agents were told something. */
  agents: number
  seq: number
}

/** What `cairn.session.cancel` takes. */
export type SessionCancelInput = {
  /** One agent: the id in its workflow, its name, or the id of its session. */
  agent?: string | undefined
  /** One phase, by its name or number. */
  phase?: string | undefined
  /** Why. */
  reason?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.cancel` answers. */
export type SessionCancelAnswer = {
  session_id: string
  root_session_id: string
  session_name: string
  status: string
  /** Of an agent: what its workflow calls it. */
  id?: string
  /** Whether a person wants it to stand still. */
  held?: boolean
  phase?: number
  /** How many agents were told something. */
  agents: number
  seq: number
}

/** What `cairn.session.retry` takes. */
export type SessionRetryInput = {
  /** One agent: the id in its workflow, its name, or the id of its session. */
  agent?: string | undefined
  /** One phase, by its name or number. */
  phase?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.retry` answers. */
export type SessionRetryAnswer = {
  session_id: string
  root_session_id: string
  session_name: string
  status: string
  /** Of an agent: what its workflow calls it. */
  id?: string
  /** Whether a person wants it to stand still. */
  held?: boolean
  phase?: number
  /** How many agents were told something. */
  agents: number
  seq: number
}

/** What `cairn.session.approve` takes. */
export type SessionApproveInput = {
  /** One agent: the id in its workflow, its name, or the id of its session. */
  agent?: string | undefined
  /** One phase, by its name or number. */
  phase?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.approve` answers. */
export type SessionApproveAnswer = {
  session_id: string
  root_session_id: string
  session_name: string
  status: string
  /** Of an agent: what its workflow calls it. */
  id?: string
  /** Whether a person wants it to stand still. */
  held?: boolean
  phase?: number
  /** How many agents were told something. */
  agents: number
  seq: number
}

/** What `cairn.session.ask` takes. */
export type SessionAskInput = {
  /** The question. */
  text: string
  /** Answers to choose from. */
  actions?: string[] | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.ask` answers. */
export type SessionAskAnswer = {
  need: number
  session_id: string
  seq: number
}

/** What `cairn.session.answer` takes. */
export type SessionAnswerInput = {
  /** The answer. */
  text: string
  /** One agent: the id in its workflow, its name, or the id of its session. */
  agent?: string | undefined
  /** One phase, by its name or number. */
  phase?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.answer` answers. */
export type SessionAnswerAnswer = {
  session_id: string
  root_session_id: string
  session_name: string
  status: string
  /** Of an agent: what its workflow calls it. */
  id?: string
  /** Whether a person wants it to stand still. */
  held?: boolean
  phase?: number
  /** How many agents were told something. */
  agents: number
  seq: number
}

/** What `cairn.session.spawn` takes. */
export type SessionSpawnInput = {
  /** The profile. */
  use: string
  /** What it is to do. */
  task: string
  /** What kind of agent it is. */
  role?: string | undefined
  /** What the workflow calls it. */
  id?: string | undefined
  /** The name of its phase, where the workflow has phases. */
  phase?: string | undefined
  /** For owners only. */
  run?: Json | undefined
  /** For owners only. */
  env?: Json | undefined
  /** For owners only. */
  cwd?: Json | undefined
  /** For owners only. */
  budget?: Json | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.spawn` answers. */
export type SessionSpawnAnswer = {
  root_session_id: string
  status: string
  seq: number
  id: string
  name: string
  session_id: string
}

/** What `cairn.session.status` takes. */
export type SessionStatusInput = {
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.status` answers. */
export type SessionStatusAnswer = {
  session: {
    session_id: string
    session_name: string
    slug: string
    root_session_id: string
    parent_session_id: string | null
    status: "cancelled" | "completed" | "created" | "failed" | "paused" | "resumable" | "running" | "skipped"
    reason: string | null
    session_type: string
    topic: string
    objective: string | null
    description: string | null
    strategy: string | null
    metadata: JsonObject
    project_dir: string | null
    depth: number
    created_at: string
    updated_at: string
    ended_at: string | null
  }
  agents: Array<{
    id: string
    name: string
    session_id: string
    role: string
    task: string
    phase: number | null
    status: string
    reason: string | null
    /** What it waits for, and until when. */
    waits_for: "approval" | "backoff" | "blocker" | "children" | "consent" | "pause" | "question" | "rate_limit" | null
    wake_at: string | null
    held: boolean
    attempts: number
    exit_code: number | null
    run: string | null
    /** Where it has a git work tree of its own: the branch it works on, and the folder of that tree once it is there. */
    branch: string | null
    worktree: string | null
    started_at: string | null
    completed_at: string | null
    ran_ms: number
  }>
  phases: Array<{
    phase: number
    name: string
    when: string | null
    state: "completed" | "failed" | "paused" | "planned" | "running" | "skipped"
    reason: string | null
  }>
  role_distribution: Record<string, {
    total: number
    running: number
    completed: number
    failed: number
  }>
  progress: number
  progress_detail: {
    agents: {
      total: number
      done: number
    }
    tasks: {
      total: number
      done: number
    }
    checkpoints: {
      total: number
      done: number
    }
    from: "agents" | "checkpoints" | "tasks"
  }
  estimated_completion: string | null
  last_checkpoint: {
    seq: number
    at: string
    why: string
  } | null
  needs: Array<{
    need: number
    kind: string
    session_id: string | null
    agent: string | null
    text: string
    since: string
    actions: string[]
  }>
}

/** What `cairn.session.setStatus` takes. */
export type SessionSetStatusInput = {
  /** The status. */
  status: string
  /** Why. */
  reason?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.session.setStatus` answers. */
export type SessionSetStatusAnswer = {
  changed: false
  session_id: string
  status: "cancelled" | "completed" | "created" | "failed" | "paused" | "resumable" | "running" | "skipped"
  word: "active" | "complete" | "failed" | "paused"
  was: "cancelled" | "completed" | "created" | "failed" | "paused" | "resumable" | "running" | "skipped"
} | {
  changed: true
  session_id: string
  status: "cancelled" | "completed" | "created" | "failed" | "paused" | "resumable" | "running" | "skipped"
  word: "active" | "complete" | "failed" | "paused"
  was: "cancelled" | "completed" | "created" | "failed" | "paused" | "resumable" | "running" | "skipped"
}

export interface SessionOperations {
  /** Create a session: a root for a new piece of work, or a child of another session. */
  create(input: SessionCreateInput, signal?: AbortSignal): Promise<SessionCreateAnswer>
  /** List the roots, newest first, as they are now or as they were. */
  list(input: SessionListInput, signal?: AbortSignal): Promise<SessionListAnswer>
  /** Show a session, as it is now or as it was. */
  show(input: SessionShowInput, signal?: AbortSignal): Promise<SessionShowAnswer>
  /** Show a session and all below it, now or as of a point, and how its root was forked. */
  tree(input: SessionTreeInput, signal?: AbortSignal): Promise<SessionTreeAnswer>
  /** Join as a client without a session of its own: a child with the next free number, which ends with its process. */
  join(input: SessionJoinInput, signal?: AbortSignal): Promise<SessionJoinAnswer>
  /** End a session and all open ones below it; their claims and ephemeral keys are removed. */
  end(input: SessionEndInput, signal?: AbortSignal): Promise<SessionEndAnswer>
  /** Fork a root: a new root that shares its history up to an event and then goes its own way. */
  fork(input: SessionForkInput, signal?: AbortSignal): Promise<SessionForkAnswer>
  /** Start the workflow of a root, or an agent or phase that was held back. */
  start(input: SessionStartInput, signal?: AbortSignal): Promise<SessionStartAnswer>
  /** Pause a session, phase or agent: what runs stands still or is interrupted. */
  pause(input: SessionPauseInput, signal?: AbortSignal): Promise<SessionPauseAnswer>
  /** Let a paused or interrupted session, phase or agent go on; what is completed stays so. */
  resume(input: SessionResumeInput, signal?: AbortSignal): Promise<SessionResumeAnswer>
  /** Cancel a session, a phase or an agent with all below it; what still runs is stopped. */
  cancel(input: SessionCancelInput, signal?: AbortSignal): Promise<SessionCancelAnswer>
  /** Run again what failed or was cancelled; of a phase also what has completed. */
  retry(input: SessionRetryInput, signal?: AbortSignal): Promise<SessionRetryAnswer>
  /** Approve what an agent waits for: its start, its result, or that it goes on. */
  approve(input: SessionApproveInput, signal?: AbortSignal): Promise<SessionApproveAnswer>
  /** Ask the person a question; an agent that ends its turn waits for the answer. */
  ask(input: SessionAskInput, signal?: AbortSignal): Promise<SessionAskAnswer>
  /** Answer the question of an agent: it is told when it goes on. */
  answer(input: SessionAnswerInput, signal?: AbortSignal): Promise<SessionAnswerAnswer>
  /** Start another agent below a session, with a profile of its workflow. */
  spawn(input: SessionSpawnInput, signal?: AbortSignal): Promise<SessionSpawnAnswer>
  /** Show how far the work is: agents, roles, progress, and when it should be done. */
  status(input: SessionStatusInput, signal?: AbortSignal): Promise<SessionStatusAnswer>
  /** Set the status of a session: active, paused, complete or failed. */
  setStatus(input: SessionSetStatusInput, signal?: AbortSignal): Promise<SessionSetStatusAnswer>
}

/** What `cairn.project.use` takes. */
export type ProjectUseInput = {
  /** The working directory. */
  project: string
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `project`. */
  project_dir?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.project.use` answers. */
export type ProjectUseAnswer = {
  session_id: string
  root_session_id: string
  slug: string
  project_dir: string
}

/** What `cairn.project.init` takes. */
export type ProjectInitInput = {
  /** A folder, by its absolute path. */
  project: string
}

/** What `cairn.project.init` answers. */
export type ProjectInitAnswer = {
  project_dir: string
}

/** What `cairn.project.onboard` takes. */
export type ProjectOnboardInput = {
  /** Projects, or session folders themselves. */
  dirs: string[]
  /** How many of their folders to leave out; default 0. */
  offset?: number | undefined
  /** How many to look at; default all. */
  limit?: number | undefined
}

/** What `cairn.project.onboard` answers. */
export type ProjectOnboardAnswer = {
  synced: number
  failed: number
  total: number
  errors: Array<{
    folder: string
    error: string
    message: string
    hint: string
  }>
}

export interface ProjectOperations {
  /** Make a session the default in a working directory. */
  use(input: ProjectUseInput, signal?: AbortSignal): Promise<ProjectUseAnswer>
  /** Keep a session folder for each root of a working directory from now on. */
  init(input: ProjectInitInput, signal?: AbortSignal): Promise<ProjectInitAnswer>
  /** Take in the session folders of projects, with all of their history; nothing is written into them. */
  onboard(input: ProjectOnboardInput, signal?: AbortSignal): Promise<ProjectOnboardAnswer>
}

/** What `cairn.state.init` takes. */
export type StateInitInput = {
  /** The first document; default {}. */
  initial_state?: JsonObject | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.init` answers. */
export type StateInitAnswer = {
  root_session_id: string
  state: JsonObject
  version: number
  created_at: string
  seq: number
}

/** What `cairn.state.get` takes. */
export type StateGetInput = {
  /** Name of the key. */
  key: string
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** As of this version of the state. */
  at_sequence?: number | undefined
  /** Also who gave it this value, and in which turn of whose conversation. */
  why?: boolean | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.get` answers. */
export type StateGetAnswer = {
  key: string
  value: Json
  version: number
  updated_at: string
  updated_by: string | null
  seq: number
  expires_at?: string
  ephemeral?: true
  why?: {
    /** The session that wrote it, and what that is called. */
    session_id: string | null
    session_name: string | null
    /** The event that did it. */
    seq: number
    at: string
    /** Who asked for it: a token, or a person on this machine. */
    actor: string
    /** What it did, in a line. */
    did: string
    /** The run that it was done in; null where none is known. */
    run: string | null
    /** The message of that session's conversation that called for it; null where no turn is known. */
    message: {
      /** Its place in the conversation of the session that did it. */
      sequence_number: number
      tool: string
      tool_call_id: string
      /** What the agent said with it, cut to one line; empty where it only called. */
      text: string
    } | null
  } | null
}

/** What `cairn.state.all` takes. */
export type StateAllInput = {
  /** Only keys with this prefix. */
  prefix?: string | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** As of this version of the state. */
  at_sequence?: number | undefined
  /** Leave out values of more bytes; their keys have value_omitted and bytes. */
  max_value_bytes?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.all` answers. */
export type StateAllAnswer = {
  root_session_id: string
  state: JsonObject
  keys: Record<string, {
    bytes: number
    updated_at: string
    version: number
    updated_by: string | null
    expires_at?: string
    ephemeral?: true
    value_omitted: true
  } | {
    updated_at: string
    version: number
    value: Json
    updated_by: string | null
    expires_at?: string
    ephemeral?: true
  }>
  version: number
  global_version: number
  last_sequence: number
  sequence: number
  seq: number
  updated_at: string
  materialized_at: string
}

/** What `cairn.state.set` takes. */
export type StateSetInput = {
  /** Name of the key. */
  key: string
  /** Any JSON value. */
  value: Json
  /** Only if the key is at this version; 0 means that it does not exist. */
  version?: number | undefined
  /** Only if the key does not exist. */
  create_only?: boolean | undefined
  /** Delete the key when the session that set it ends. */
  ephemeral?: boolean | undefined
  /** Delete the key after this time: 30s, 10m … */
  ttl?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.set` answers. */
export type StateSetAnswer = {
  key: string
  value: Json
  version: number
  updated_at: string
  updated_by: string | null
  seq: number
  expires_at?: string
  ephemeral?: true
}

/** What `cairn.state.delete` takes. */
export type StateDeleteInput = {
  /** Name of the key. */
  key: string
  /** Only if the key is at this version; 0 means that it does not exist. */
  version?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.delete` answers. */
export type StateDeleteAnswer = {
  key: string
  version: number
  deleted: true
  seq: number
}

/** What `cairn.state.increment` takes. */
export type StateIncrementInput = {
  /** Name of the key. */
  key: string
  /** How much to add; default 1, may be negative. */
  delta?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.increment` answers. */
export type StateIncrementAnswer = {
  key: string
  value: number
  version: number
}

/** What `cairn.state.append` takes. */
export type StateAppendInput = {
  /** Name of the key. */
  key: string
  /** A JSON array of the items. */
  items: Json[]
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.append` answers. */
export type StateAppendAnswer = {
  key: string
  length: number
  version: number
}

/** What `cairn.state.merge` takes. */
export type StateMergeInput = {
  /** Name of the key. */
  key: string
  /** What changes; $append, $increment, $set and $delete work at a name or a path. */
  patch: JsonObject
  /** Only if the key is at this version; 0 means that it does not exist. */
  version?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.merge` answers. */
export type StateMergeAnswer = {
  key: string
  value: Json
  version: number
  updated_at: string
  updated_by: string | null
  seq: number
  expires_at?: string
  ephemeral?: true
}

/** What `cairn.state.jsonPatch` takes. */
export type StateJsonPatchInput = {
  /** Name of the key. */
  key: string
  /** A JSON array of operations: add, remove, replace, move, copy, test. */
  operations: Json[]
  /** Only if the key is at this version; 0 means that it does not exist. */
  version?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.jsonPatch` answers. */
export type StateJsonPatchAnswer = {
  key: string
  value: Json
  version: number
  updated_at: string
  updated_by: string | null
  seq: number
  expires_at?: string
  ephemeral?: true
}

/** What `cairn.state.min` takes. */
export type StateMinInput = {
  /** Name of the key. */
  key: string
  /** The number to lower it to. */
  value: number
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.min` answers. */
export type StateMinAnswer = {
  key: string
  value: number
  version: number
  changed: boolean
}

/** What `cairn.state.max` takes. */
export type StateMaxInput = {
  /** Name of the key. */
  key: string
  /** The number to raise it to. */
  value: number
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.max` answers. */
export type StateMaxAnswer = {
  key: string
  value: number
  version: number
  changed: boolean
}

/** What `cairn.state.setIfAbsent` takes. */
export type StateSetIfAbsentInput = {
  /** Name of the key. */
  key: string
  /** Any JSON value. */
  value: Json
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.setIfAbsent` answers. */
export type StateSetIfAbsentAnswer = {
  key: string
  value: Json
  version: number
  updated_at: string
  updated_by: string | null
  seq: number
  expires_at?: string
  ephemeral?: true
  created: boolean
}

/** What `cairn.state.counterAdd` takes. */
export type StateCounterAddInput = {
  /** Name of the key. */
  key: string
  /** How much to add; default 1, negative only on a PN-counter. */
  value?: number | undefined
  /** The kind of a new counter: g only grows, pn (default) also decreases. */
  kind?: "g" | "pn" | undefined
  /** Name of the replica that acts, where a session has several. */
  replica?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.counterAdd` answers. */
export type StateCounterAddAnswer = {
  key: string
  value: number
  version: number
}

/** What `cairn.state.setAdd` takes. */
export type StateSetAddInput = {
  /** Name of the key. */
  key: string
  /** A JSON array of the items. */
  items: Json[]
  /** Name of the replica that acts, where a session has several. */
  replica?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.setAdd` answers. */
export type StateSetAddAnswer = {
  key: string
  length: number
  version: number
}

/** What `cairn.state.setRemove` takes. */
export type StateSetRemoveInput = {
  /** Name of the key. */
  key: string
  /** A JSON array of the items. */
  items: Json[]
  /** Name of the replica that acts, where a session has several. */
  replica?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.setRemove` answers. */
export type StateSetRemoveAnswer = {
  key: string
  length: number
  version: number
}

/** What `cairn.state.registerSet` takes. */
export type StateRegisterSetInput = {
  /** Name of the key. */
  key: string
  /** Any JSON value. */
  value: Json
  /** Name of the replica that acts, where a session has several. */
  replica?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.registerSet` answers. */
export type StateRegisterSetAnswer = {
  key: string
  value: Json
  version: number
  updated_at: string
  updated_by: string | null
  seq: number
  expires_at?: string
  ephemeral?: true
}

/** What `cairn.state.replace` takes. */
export type StateReplaceInput = {
  /** The new document. */
  state: JsonObject
  /** Only if the document is at this version. */
  version?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.replace` answers. */
export type StateReplaceAnswer = {
  root_session_id: string
  state: JsonObject
  version: number
  updated_at: string
  seq: number
}

/** What `cairn.state.patch` takes. */
export type StatePatchInput = {
  /** What changes: null removes, "a.b" is a path, $append, $increment, $set and $delete are operators. */
  patch: JsonObject
  /** deep (default) merges objects; shallow replaces them. */
  strategy?: "deep" | "shallow" | undefined
  /** Only if the document is at this version. */
  version?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.patch` answers. */
export type StatePatchAnswer = {
  root_session_id: string
  version: number
  seq: number
  keys: Record<string, {
    version: number
    deleted: true
  } | {
    version: number
    length: number
  } | {
    version: number
    value: Json
  }>
}

/** What `cairn.state.mutate` takes. */
export type StateMutateInput = {
  /** The mutation: {type, key, …}. */
  mutation: {
    /** Which one. */
    type: "append"
    /** Name of the key. */
    key: string
    /** A JSON array of the items. */
    items: Json[]
  } | {
    /** Which one. */
    type: "counter_add"
    /** Name of the key. */
    key: string
    /** How much to add; default 1, negative only on a PN-counter. */
    value?: number | undefined
    /** The kind of a new counter: g only grows, pn (default) also decreases. */
    kind?: "g" | "pn" | undefined
    /** Name of the replica that acts, where a session has several. */
    actor?: string | undefined
  } | {
    /** Which one. */
    type: "delete"
    /** Name of the key. */
    key: string
    /** Only if the key is at this version; 0 means that it does not exist. */
    version?: number | undefined
  } | {
    /** Which one. */
    type: "full_replace"
    /** The document. */
    payload: JsonObject
  } | {
    /** Which one. */
    type: "increment"
    /** Name of the key. */
    key: string
    /** How much to add; default 1, may be negative. */
    delta?: number | undefined
  } | {
    /** Which one. */
    type: "init"
    /** The document. */
    payload: JsonObject
  } | {
    /** Which one. */
    type: "json_patch"
    /** Name of the key. */
    key: string
    /** A JSON array of operations: add, remove, replace, move, copy, test. */
    operations: Json[]
    /** Only if the key is at this version; 0 means that it does not exist. */
    version?: number | undefined
  } | {
    /** Which one. */
    type: "patch"
    /** Name of the key. */
    key: string
    /** What changes; $append, $increment, $set and $delete work at a name or a path. */
    patch: JsonObject
    /** Only if the key is at this version; 0 means that it does not exist. */
    version?: number | undefined
  } | {
    /** Which one. */
    type: "register_set"
    /** Name of the key. */
    key: string
    /** Any JSON value. */
    value: Json
    /** Name of the replica that acts, where a session has several. */
    actor?: string | undefined
  } | {
    /** Which one. */
    type: "set"
    /** Name of the key. */
    key: string
    /** Any JSON value. */
    value: Json
    /** Only if the key is at this version; 0 means that it does not exist. */
    version?: number | undefined
    /** Only if the key does not exist. */
    create_only?: boolean | undefined
    /** Delete the key when the session that set it ends. */
    ephemeral?: boolean | undefined
    /** Delete the key after this time: 30s, 10m … */
    ttl?: string | undefined
  } | {
    /** Which one. */
    type: "set_add"
    /** Name of the key. */
    key: string
    /** A JSON array of the items. */
    items: Json[]
    /** Name of the replica that acts, where a session has several. */
    actor?: string | undefined
  } | {
    /** Which one. */
    type: "set_remove"
    /** Name of the key. */
    key: string
    /** A JSON array of the items. */
    items: Json[]
    /** Name of the replica that acts, where a session has several. */
    actor?: string | undefined
  }
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.mutate` answers. */
export type StateMutateAnswer = {
  event_id: string
  sequence_number: number
  timestamp: string
  seq: number
}

/** What `cairn.state.batch` takes. */
export type StateBatchInput = {
  /** What to do, in order. */
  operations: Array<{
    /** Which one. */
    op: "append"
    /** Name of the key. */
    key: string
    /** A JSON array of the items. */
    items: Json[]
  } | {
    /** Which one. */
    op: "counter_add"
    /** Name of the key. */
    key: string
    /** How much to add; default 1, negative only on a PN-counter. */
    value?: number | undefined
    /** The kind of a new counter: g only grows, pn (default) also decreases. */
    kind?: "g" | "pn" | undefined
    /** Name of the replica that acts, where a session has several. */
    replica?: string | undefined
  } | {
    /** Which one. */
    op: "delete"
    /** Name of the key. */
    key: string
    /** Only if the key is at this version; 0 means that it does not exist. */
    if_match?: number | undefined
  } | {
    /** Which one. */
    op: "increment"
    /** Name of the key. */
    key: string
    /** How much to add; default 1, may be negative. */
    delta?: number | undefined
  } | {
    /** Which one. */
    op: "json_patch"
    /** Name of the key. */
    key: string
    /** A JSON array of operations: add, remove, replace, move, copy, test. */
    operations: Json[]
    /** Only if the key is at this version; 0 means that it does not exist. */
    if_match?: number | undefined
  } | {
    /** Which one. */
    op: "max"
    /** Name of the key. */
    key: string
    /** The number to raise it to. */
    value: number
  } | {
    /** Which one. */
    op: "merge"
    /** Name of the key. */
    key: string
    /** What changes; $append, $increment, $set and $delete work at a name or a path. */
    patch: JsonObject
    /** Only if the key is at this version; 0 means that it does not exist. */
    if_match?: number | undefined
  } | {
    /** Which one. */
    op: "min"
    /** Name of the key. */
    key: string
    /** The number to lower it to. */
    value: number
  } | {
    /** Which one. */
    op: "register_set"
    /** Name of the key. */
    key: string
    /** Any JSON value. */
    value: Json
    /** Name of the replica that acts, where a session has several. */
    replica?: string | undefined
  } | {
    /** Which one. */
    op: "set"
    /** Name of the key. */
    key: string
    /** Any JSON value. */
    value: Json
    /** Only if the key does not exist. */
    create_only?: boolean | undefined
    /** Delete the key when the session that set it ends. */
    ephemeral?: boolean | undefined
    /** Delete the key after this time: 30s, 10m … */
    ttl?: string | undefined
    /** Only if the key is at this version; 0 means that it does not exist. */
    if_match?: number | undefined
  } | {
    /** Which one. */
    op: "set_add"
    /** Name of the key. */
    key: string
    /** A JSON array of the items. */
    items: Json[]
    /** Name of the replica that acts, where a session has several. */
    replica?: string | undefined
  } | {
    /** Which one. */
    op: "set_if_absent"
    /** Name of the key. */
    key: string
    /** Any JSON value. */
    value: Json
  } | {
    /** Which one. */
    op: "set_remove"
    /** Name of the key. */
    key: string
    /** A JSON array of the items. */
    items: Json[]
    /** Name of the replica that acts, where a session has several. */
    replica?: string | undefined
  }>
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.batch` answers. */
export type StateBatchAnswer = {
  results: Array<{
    key: string
    length: number
    version: number
    status: "success"
  } | {
    key: string
    value: Json
    version: number
    updated_at: string
    updated_by: string | null
    seq: number
    expires_at?: string
    ephemeral?: true
    created: boolean
    status: "success"
  } | {
    key: string
    value: Json
    version: number
    updated_at: string
    updated_by: string | null
    seq: number
    expires_at?: string
    ephemeral?: true
    status: "success"
  } | {
    key: string
    value: number
    version: number
    changed: boolean
    status: "success"
  } | {
    key: string
    value: number
    version: number
    status: "success"
  } | {
    key: string
    version: number
    deleted: true
    seq: number
    status: "success"
  } | {
    version: number
    key: string
    value_omitted: true
    status: "success"
  }>
  applied: true
}

/** What `cairn.state.events` takes. */
export type StateEventsInput = {
  /** Only those after this version of the state. */
  since?: number | undefined
  /** Only those after this point of the log. A sequence number, or a time. */
  since_seq?: number | string | undefined
  /** Maximum number of results. */
  limit?: number | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.events` answers. */
export type StateEventsAnswer = {
  events: Array<{
    session_id: string | null
    changed_by: string | null
    timestamp: string
    seq: number
    sequence_number: number
    root_seq: number
    value?: Json
    delta?: number
    items?: Json[]
    patch?: JsonObject
    payload?: JsonObject
    operations?: Json[]
    owner?: number
    expires_at?: string
    reason?: "expired" | "session_ended"
    kind?: string
    actor?: string
    plus?: number
    minus?: number
    first?: number
    replaced?: Json
    removed?: Json
    clock?: Json
    /** Said of one whose values never came here. */
    body?: "elsewhere"
    event_id: string
    type: string
    key: string | null
  }>
  has_more: boolean
}

/** What `cairn.state.history` takes. */
export type StateHistoryInput = {
  /** Name of the key. */
  key: string
  /** Maximum number of results. */
  limit?: number | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** Only versions before this one of the key. */
  before?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.history` answers. */
export type StateHistoryAnswer = {
  expired_at?: string
  compacted_before?: number
  key: string
  versions: Array<{
    deleted: true
    version: number
    seq: number
    type: string
    updated_at: string
    updated_by: string | null
    session_name: string | null
    actor: string
    request: string | null
    cause: Json
  } | {
    value: Json
    version: number
    seq: number
    type: string
    updated_at: string
    updated_by: string | null
    session_name: string | null
    actor: string
    request: string | null
    cause: Json
  } | {
    value_omitted: true
    change?: Json
    version: number
    seq: number
    type: string
    updated_at: string
    updated_by: string | null
    session_name: string | null
    actor: string
    request: string | null
    cause: Json
  }>
  has_more: boolean
}

/** What `cairn.state.diff` takes. */
export type StateDiffInput = {
  /** The first point: a sequence number, a time, or now. */
  from: number | string
  /** The second point, likewise. */
  to: number | string
  /** Only keys after this one: continues where a page ended. */
  after?: string | undefined
  /** Maximum number of results. */
  limit?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.diff` answers. */
export type StateDiffAnswer = {
  next_after?: string
  from: number
  to: number
  changes: Array<{
    readonly op: "added"
    readonly path: string
    readonly after: Json
    readonly key: string
  } | {
    readonly op: "changed"
    readonly path: string
    readonly before: Json
    readonly after: Json
    readonly key: string
  } | {
    readonly op: "moved"
    readonly path: string
    readonly from: string
    readonly to: string
    readonly after: Json
    readonly key: string
  } | {
    readonly op: "removed"
    readonly path: string
    readonly before: Json
    readonly key: string
  }>
  has_more: boolean
}

/** What `cairn.state.restore` takes. */
export type StateRestoreInput = {
  /** The point: a sequence number or a time. */
  to: number | string
  /** Only these keys: a,b or a JSON list. */
  keys?: string[] | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.restore` answers. */
export type StateRestoreAnswer = {
  to: number
  changed: Array<{
    key: string
    version: number
    deleted?: true
  }>
  version: number
  seq: number
}

/** What `cairn.state.summary` takes. */
export type StateSummaryInput = {
  /** Maximum number of keys; default 10. */
  max_keys?: number | undefined
  /** Maximum bytes of JSON; default 2000. */
  max_bytes?: number | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.summary` answers. */
export type StateSummaryAnswer = {
  root_session_id: string
  summary: JsonObject
  keys: string[]
}

/** What `cairn.state.why` takes. */
export type StateWhyInput = {
  /** Name of the key. */
  key: string
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** Maximum number of results. */
  limit?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.why` answers. */
export type StateWhyAnswer = {
  expired_at?: string
  key: string
  events: Array<{
    seq: number
    version: number
    type: string
    did: string
    session_id: string | null
    session_name: string | null
    actor: string
    at: string
    request: string | null
    cause: Json
    message?: {
      /** Its place in the conversation of the session that did it. */
      sequence_number: number
      tool: string
      tool_call_id: string
      /** What the agent said with it, cut to one line; empty where it only called. */
      text: string
    }
  }>
  has_more: boolean
}

/** What `cairn.state.wait` takes. */
export type StateWaitInput = {
  /** Name of the key. */
  key: string
  /** Until it is this JSON value. */
  equals?: Json | undefined
  /** Until this holds: value >= 3 && value < 10, exists, absent, length > 2, .path.to == "x" … */
  condition?: string | undefined
  /** Maximum time to wait, up to 1h; default 30s. */
  timeout?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.wait` answers. */
export type StateWaitAnswer = {
  key: string
  absent: true
} | {
  key: string
  value: Json
  version: number
  updated_at: string
  updated_by: string | null
  seq: number
  expires_at?: string
  ephemeral?: true
}

/** What `cairn.state.watch` takes. */
export type StateWatchInput = {
  /** Start after this point of the log; default only new events. A sequence number, or a time. */
  since?: number | string | undefined
  /** Only keys with this prefix, and changes to the whole document. */
  prefix?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.claim` takes. */
export type StateClaimInput = {
  /** Name of the key. */
  key: string
  /** How long without a heartbeat: 30s, 5m … */
  ttl: string
  /** Who. */
  holder?: string | undefined
  /** Claim again what this session already holds: it gets a new token, and the old one is fenced. */
  reclaim?: boolean | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.claim` answers. */
export type StateClaimAnswer = {
  token: string
  ttl_ms: number
  expires_at: string
  key: string
}

/** What `cairn.state.heartbeat` takes. */
export type StateHeartbeatInput = {
  /** Name of the key. */
  key: string
  /** The token that the claim returned. */
  token: string
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.heartbeat` answers. */
export type StateHeartbeatAnswer = {
  token: string
  ttl_ms: number
  expires_at: string
  key: string
}

/** What `cairn.state.release` takes. */
export type StateReleaseInput = {
  /** Name of the key. */
  key: string
  /** The token that the claim returned. */
  token: string
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.state.release` answers. */
export type StateReleaseAnswer = {
  key: string
  token: string
  released: true
}

export interface StateOperations {
  /** Start the shared state with a document; refused if state already exists. */
  init(input: StateInitInput, signal?: AbortSignal): Promise<StateInitAnswer>
  /** Read one key, as it is now or as it was. */
  get(input: StateGetInput, signal?: AbortSignal): Promise<StateGetAnswer>
  /** Read the whole state in one consistent view, as it is now or as it was. */
  all(input: StateAllInput, signal?: AbortSignal): Promise<StateAllAnswer>
  /** Set a key to a JSON value; with a version, only if nobody changed it since. */
  set(input: StateSetInput, signal?: AbortSignal): Promise<StateSetAnswer>
  /** Delete a key; its history stays, and its version continues if it is set again. */
  delete(input: StateDeleteInput, signal?: AbortSignal): Promise<StateDeleteAnswer>
  /** Add to a number without conflicts; a missing key counts as 0. */
  increment(input: StateIncrementInput, signal?: AbortSignal): Promise<StateIncrementAnswer>
  /** Append items to an array without conflicts; a missing key counts as []. */
  append(input: StateAppendInput, signal?: AbortSignal): Promise<StateAppendAnswer>
  /** Merge an object into the object under a key; null removes, "a.b" is a path. */
  merge(input: StateMergeInput, signal?: AbortSignal): Promise<StateMergeAnswer>
  /** Apply a JSON Patch (RFC 6902) to a key; a test that fails is a version_conflict. */
  jsonPatch(input: StateJsonPatchInput, signal?: AbortSignal): Promise<StateJsonPatchAnswer>
  /** Lower a number to a value if that is less; a missing key is set to it. */
  min(input: StateMinInput, signal?: AbortSignal): Promise<StateMinAnswer>
  /** Raise a number to a value if that is greater; a missing key is set to it. */
  max(input: StateMaxInput, signal?: AbortSignal): Promise<StateMaxAnswer>
  /** Set a key unless it exists; returns the current value, whoever set it. */
  setIfAbsent(input: StateSetIfAbsentInput, signal?: AbortSignal): Promise<StateSetIfAbsentAnswer>
  /** Add to a conflict-free counter; a missing key becomes one. */
  counterAdd(input: StateCounterAddInput, signal?: AbortSignal): Promise<StateCounterAddAnswer>
  /** Add items to a conflict-free set; a missing key becomes one. */
  setAdd(input: StateSetAddInput, signal?: AbortSignal): Promise<StateSetAddAnswer>
  /** Remove items from a conflict-free set; items not in it are ignored. */
  setRemove(input: StateSetRemoveInput, signal?: AbortSignal): Promise<StateSetRemoveAnswer>
  /** Set a conflict-free register, where the latest write wins; a missing key becomes one. */
  registerSet(input: StateRegisterSetInput, signal?: AbortSignal): Promise<StateRegisterSetAnswer>
  /** Replace the whole document; keys that are not in the new one are deleted. */
  replace(input: StateReplaceInput, signal?: AbortSignal): Promise<StateReplaceAnswer>
  /** Merge a patch into the document, all or nothing; returns the changed keys. */
  patch(input: StatePatchInput, signal?: AbortSignal): Promise<StatePatchAnswer>
  /** Record one raw mutation event, such as {"type": "delete", "key": "k"}. */
  mutate(input: StateMutateInput, signal?: AbortSignal): Promise<StateMutateAnswer>
  /** Change several keys at once, all or nothing. */
  batch(input: StateBatchInput, signal?: AbortSignal): Promise<StateBatchAnswer>
  /** List the mutations of the state in order, each with its version. */
  events(input: StateEventsInput, signal?: AbortSignal): Promise<StateEventsAnswer>
  /** List the versions of a key, newest first: what it was, who changed it and why. */
  history(input: StateHistoryInput, signal?: AbortSignal): Promise<StateHistoryAnswer>
  /** Show what differs in the state between two points, by path. */
  diff(input: StateDiffInput, signal?: AbortSignal): Promise<StateDiffAnswer>
  /** Restore keys, or the whole state, to an earlier point. */
  restore(input: StateRestoreInput, signal?: AbortSignal): Promise<StateRestoreAnswer>
  /** Show as much of the state as fits in a prompt, most recently changed keys first. */
  summary(input: StateSummaryInput, signal?: AbortSignal): Promise<StateSummaryAnswer>
  /** Explain why a key has its value: the events behind it and who made them. */
  why(input: StateWhyInput, signal?: AbortSignal): Promise<StateWhyAnswer>
  /** Wait until a key exists, equals a value or meets a condition; then read it. */
  wait(input: StateWaitInput, signal?: AbortSignal): Promise<StateWaitAnswer>
  /** Show each change of the state as it happens, until interrupted. */
  watch(input: StateWatchInput, signal?: AbortSignal): AsyncGenerator<FeedEvent, void>
  /** Claim a key for a time. Writes with the fence key/KEY:TOKEN fail once it is lost. */
  claim(input: StateClaimInput, signal?: AbortSignal): Promise<StateClaimAnswer>
  /** Extend the claim of a key by its ttl; refused as fenced once it was lost. */
  heartbeat(input: StateHeartbeatInput, signal?: AbortSignal): Promise<StateHeartbeatAnswer>
  /** Release the claim of a key before it expires. */
  release(input: StateReleaseInput, signal?: AbortSignal): Promise<StateReleaseAnswer>
}

/** What `cairn.context.append` takes. */
export type ContextAppendInput = {
  /** Who says it. */
  role?: "assistant" | "system" | "tool" | "user" | undefined
  /** A text, or the blocks of the provider. */
  content?: Json | undefined
  /** Of an assistant: the tools it calls, as OpenAI writes them. */
  tool_calls?: Json[] | undefined
  /** Of a tool: the call that this is the result of. */
  tool_call_id?: string | undefined
  /** Instead of all of these: a whole message in the form of its provider. */
  message?: JsonObject | undefined
  /** The provider’s id of the message: with the same id it is recorded once. */
  id?: string | undefined
  /** Whose form it is in, if that is not plain from the message. */
  form?: "anthropic" | "openai" | "responses" | undefined
  /** Content that was uploaded as blobs: where it stands in the message. */
  blobs?: Array<{
    /** The way to it, from the message. */
    path: Json[]
    /** The SHA-256 of it. */
    hash: string
    /** How many bytes it has. */
    bytes: number
    /** How the message has it. */
    encoding: "base64" | "utf8"
  }> | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.context.append` answers. */
export type ContextAppendAnswer = {
  redacted?: Array<{
    readonly path: string
    readonly what: string
  }>
  sequence_number: number
  seq: number
  repeated?: true
  session_id: string
}

/** What `cairn.context.show` takes. */
export type ContextShowInput = {
  /** As of this version of the conversation. */
  point?: number | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The form of the messages; default that of the provider they came from. */
  format?: "anthropic" | "openai" | "raw" | "responses" | "text" | undefined
  /** Also what was rewound or compacted; with the format raw or text. */
  all?: boolean | undefined
  /** Only what comes after this version of the conversation. */
  since?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.context.show` answers. */
export type ContextShowAnswer = {
  absent?: number
  blobs?: Json
  last_sequence: number
  format: "anthropic" | "openai" | "raw" | "responses" | "text"
  messages: Json[]
  system?: Json
  left_out?: Json
  session_id: string
}

/** What `cairn.context.copy` takes. */
export type ContextCopyInput = {
  /** Up to this version of the conversation; default all of it. */
  to_point?: number | undefined
  /** Only the messages, into a new session of the same root. */
  context_only?: boolean | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.context.copy` answers. */
export type ContextCopyAnswer = {
  session_id: string
  root_session_id: string
  copied: number
  /** Of a copy of the whole root: where it is from. */
  origin_session_id?: string
  at?: number
  status?: string
  ended_seq?: number
}

/** What `cairn.context.overwrite` takes. */
export type ContextOverwriteInput = {
  /** The last version that stays visible; default the end of the conversation. */
  from_point?: number | undefined
  /** Also restore the shared state to what it was at that point. */
  with_state?: boolean | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
  /** Another name of `from_point`. */
  to_point?: number | undefined
}

/** What `cairn.context.overwrite` answers. */
export type ContextOverwriteAnswer = {
  changed?: Array<{
    key: string
    version: number
    deleted?: true
  }>
  session_id: string
  hidden: number
  last_sequence: number
  seq: number
}

/** What `cairn.context.compact` takes. */
export type ContextCompactInput = {
  /** What stands for them from then on. */
  summary: string
  /** The first version; default the first after the opening system messages. */
  from?: number | undefined
  /** The last version; default the end of the conversation. */
  upto?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.context.compact` answers. */
export type ContextCompactAnswer = {
  session_id: string
  sequence_number: number
  from: number
  upto: number
  seq: number
}

export interface ContextOperations {
  /** Append a message to the conversation of a session. */
  append(input: ContextAppendInput, signal?: AbortSignal): Promise<ContextAppendAnswer>
  /** Show the conversation of a session: its messages now or at a point. */
  show(input: ContextShowInput, signal?: AbortSignal): Promise<ContextShowAnswer>
  /** Copy a session as it was at a point of its conversation: its whole root, or its messages alone. */
  copy(input: ContextCopyInput, signal?: AbortSignal): Promise<ContextCopyAnswer>
  /** Go on with a conversation from a point: what came after it is hidden, not deleted. */
  overwrite(input: ContextOverwriteInput, signal?: AbortSignal): Promise<ContextOverwriteAnswer>
  /** Replace messages of a conversation by a summary; they stay readable. */
  compact(input: ContextCompactInput, signal?: AbortSignal): Promise<ContextCompactAnswer>
}

/** What `cairn.run.start` takes. */
export type RunStartInput = {
  /** cli for a process of its own, server for a worker in one. */
  mode?: "cli" | "server" | undefined
  /** What runs it: command, claude, codex, model. */
  adapter?: string | undefined
  /** The model. */
  model?: string | undefined
  /** A hash, to tell whether it has changed. */
  prompt?: string | undefined
  /** A hash, to tell whether it has changed. */
  tools?: string | undefined
  /** The session id of the provider, to resume by. */
  provider_session_id?: string | undefined
  /** The process that runs it: the session stands still once that is gone. */
  process?: {
    /** The name of the machine that the process runs on. */
    host: string
    /** The life of that machine. */
    boot: string
    /** The space that its pid counts in. */
    space: string
    /** Its pid. */
    pid: number
    /** When it was started, as its system says. */
    started: string
  } | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.run.start` answers. */
export type RunStartAnswer = {
  run: string
  session_id: string
  seq: number
  changed: Array<{
    what: string
    was: string
    now: string
  }>
}

/** What `cairn.run.report` takes. */
export type RunReportInput = {
  /** The run. */
  run: string
  /** The model. */
  model?: string | undefined
  /** The session id of the provider, to resume by. */
  provider_session_id?: string | undefined
  /** Tokens read so far. */
  input_tokens?: number | undefined
  /** Tokens written so far. */
  output_tokens?: number | undefined
  /** Tokens read from a cache so far. */
  cached_tokens?: number | undefined
  /** Money spent so far, in US dollars. */
  usd?: number | undefined
  /** Share of the context window in use, 0 to 1. */
  context_usage?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.run.report` answers. */
export type RunReportAnswer = {
  run: string
  session_id: string
  mode: string
  adapter: string | null
  model: string | null
  provider_session_id: string | null
  started_at: string
  ended_at: string | null
  how: string | null
  reason: string | null
  usage: Record<string, number>
  issues: string[]
}

/** What `cairn.run.end` takes. */
export type RunEndInput = {
  /** The run. */
  run: string
  /** How it ended. */
  how?: "cancelled" | "completed" | "crashed" | "failed" | "timeout" | undefined
  /** Why. */
  reason?: string | undefined
  /** The process that runs it: the session stands still once that is gone. */
  process?: {
    /** The name of the machine that the process runs on. */
    host: string
    /** The life of that machine. */
    boot: string
    /** The space that its pid counts in. */
    space: string
    /** Its pid. */
    pid: number
    /** When it was started, as its system says. */
    started: string
  } | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.run.end` answers. */
export type RunEndAnswer = {
  run: string
  session_id: string
  mode: string
  adapter: string | null
  model: string | null
  provider_session_id: string | null
  started_at: string
  ended_at: string | null
  how: string | null
  reason: string | null
  usage: Record<string, number>
  issues: string[]
}

/** What `cairn.run.list` takes. */
export type RunListInput = {
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.run.list` answers. */
export type RunListAnswer = {
  runs: Array<{
    run: string
    session_id: string
    mode: string
    adapter: string | null
    model: string | null
    provider_session_id: string | null
    started_at: string
    ended_at: string | null
    how: string | null
    reason: string | null
    usage: Record<string, number>
    issues: string[]
  }>
}

export interface RunOperations {
  /** Start a run of a session, and say what has changed since the last one. */
  start(input: RunStartInput, signal?: AbortSignal): Promise<RunStartAnswer>
  /** Say what a run has used so far: cumulative figures, of which the last counts. */
  report(input: RunReportInput, signal?: AbortSignal): Promise<RunReportAnswer>
  /** End a run and say how it ended. */
  end(input: RunEndInput, signal?: AbortSignal): Promise<RunEndAnswer>
  /** List the runs of a session: when, with what, how they ended and what they used. */
  list(input: RunListInput, signal?: AbortSignal): Promise<RunListAnswer>
}

/** What `cairn.phase.enter` takes. */
export type PhaseEnterInput = {
  /** The phase: its name or number. */
  phase: string
  /** Why. */
  reopen?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.phase.enter` answers. */
export type PhaseEnterAnswer = {
  from: string | null
  changed: boolean
  phase: number
  name: string
  kind: "build" | "complete" | "custom" | "docs" | "plan" | "spec"
  state: "completed" | "failed" | "paused" | "planned" | "running" | "skipped"
  started_at: string | null
  ended_at: string | null
  reason: string | null
}

/** What `cairn.phase.done` takes. */
export type PhaseDoneInput = {
  /** The phase: its name or number. */
  phase?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.phase.done` answers. */
export type PhaseDoneAnswer = {
  from: string | null
  changed: boolean
  phase: number
  name: string
  kind: "build" | "complete" | "custom" | "docs" | "plan" | "spec"
  state: "completed" | "failed" | "paused" | "planned" | "running" | "skipped"
  started_at: string | null
  ended_at: string | null
  reason: string | null
}

/** What `cairn.phase.add` takes. */
export type PhaseAddInput = {
  /** What it is called. */
  name: string
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.phase.add` answers. */
export type PhaseAddAnswer = {
  phase: number
  name: string
  kind: "build" | "complete" | "custom" | "docs" | "plan" | "spec"
  state: "completed" | "failed" | "paused" | "planned" | "running" | "skipped"
  started_at: string | null
  ended_at: string | null
  reason: string | null
}

/** What `cairn.phase.list` takes. */
export type PhaseListInput = {
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.phase.list` answers. */
export type PhaseListAnswer = {
  current: string | null
  phases: Array<{
    phase: number
    name: string
    kind: "build" | "complete" | "custom" | "docs" | "plan" | "spec"
    state: "completed" | "failed" | "paused" | "planned" | "running" | "skipped"
    started_at: string | null
    ended_at: string | null
    reason: string | null
    tasks: {
      tasks: number
      open: number
      claimed: number
      blocked: number
      done: number
    }
  }>
}

export interface PhaseOperations {
  /** Go on to a phase; the one before it is completed. Going back needs a reason. */
  enter(input: PhaseEnterInput, signal?: AbortSignal): Promise<PhaseEnterAnswer>
  /** Say that a phase is completed, without going on to another. */
  done(input: PhaseDoneInput, signal?: AbortSignal): Promise<PhaseDoneAnswer>
  /** Add a phase of your own. Before any fixed phase has begun, it takes their place. */
  add(input: PhaseAddInput, signal?: AbortSignal): Promise<PhaseAddAnswer>
  /** List the phases, what has become of each and its tasks. */
  list(input: PhaseListInput, signal?: AbortSignal): Promise<PhaseListAnswer>
}

/** What `cairn.plan.add` takes. */
export type PlanAddInput = {
  /** What it is called. */
  name: string
  /** The phase: its name or number. */
  phase?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.plan.add` answers. */
export type PlanAddAnswer = {
  phase: number
  phase_name: string
  plan: number
  name: string
}

/** What `cairn.plan.show` takes. */
export type PlanShowInput = {
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.plan.show` answers. */
export type PlanShowAnswer = {
  current_phase: string | null
  phases: Array<{
    plans: Array<{
      plan: number
      name: string
      tasks: {
        tasks: number
        open: number
        claimed: number
        blocked: number
        done: number
      }
    }>
    phase: number
    name: string
    kind: "build" | "complete" | "custom" | "docs" | "plan" | "spec"
    state: "completed" | "failed" | "paused" | "planned" | "running" | "skipped"
    started_at: string | null
    ended_at: string | null
    reason: string | null
    tasks: {
      tasks: number
      open: number
      claimed: number
      blocked: number
      done: number
    }
  }>
  tasks: {
    tasks: number
    open: number
    claimed: number
    blocked: number
    done: number
  }
  checkpoints: Array<{
    checkpoint: number
    text: string
    status: string
    started_at: string | null
    completed_at: string | null
  }>
  current_checkpoint: number | null
}

export interface PlanOperations {
  /** Add a plan to a phase; tasks can belong to it. */
  add(input: PlanAddInput, signal?: AbortSignal): Promise<PlanAddAnswer>
  /** Show the plan: phases, the plans of each, their tasks counted, and build checkpoints. */
  show(input: PlanShowInput, signal?: AbortSignal): Promise<PlanShowAnswer>
}

/** What `cairn.task.add` takes. */
export type TaskAddInput = {
  /** What is to be done. */
  text: string
  /** Tasks that must be done before. */
  after?: string[] | undefined
  /** The phase: its name or number. */
  phase?: string | undefined
  /** The plan of that phase: its name or number. */
  plan?: string | undefined
  /** The wave within its plan: lower ones come first. */
  wave?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.task.add` answers. */
export type TaskAddAnswer = {
  status: string
  seq: number
  text: string
  phase: number | null
  plan: number | null
  wave: number
  after: string[]
  id: string
}

/** What `cairn.task.list` takes. */
export type TaskListInput = {
  /** Only those of this status. */
  status?: "blocked" | "claimed" | "done" | "open" | undefined
  /** The phase: its name or number. */
  phase?: string | undefined
  /** Only tasks with a higher number. */
  after?: number | undefined
  /** Maximum number of results. */
  limit?: number | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.task.list` answers. */
export type TaskListAnswer = {
  tasks: Array<{
    claimed_by: string | null
    run: string | null
    claimed_at: string | null
    progress_at: string | null
    note: string | null
    done_at: string | null
    result: string | null
    reason: string | null
    blocked_by: string[]
    added_at: string
    ready: boolean
    stale: boolean
    status: "blocked" | "claimed" | "done" | "open"
    id: string
    text: string
    phase: number | null
    plan: number | null
    wave: number
    after: string[]
  }>
  next_after: number | null
}

/** What `cairn.task.ready` takes. */
export type TaskReadyInput = {
  /** Maximum number of results. */
  limit?: number | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.task.ready` answers. */
export type TaskReadyAnswer = {
  tasks: Array<{
    claimed_by: string | null
    run: string | null
    claimed_at: string | null
    progress_at: string | null
    note: string | null
    done_at: string | null
    result: string | null
    reason: string | null
    blocked_by: string[]
    added_at: string
    ready: boolean
    stale: boolean
    status: "blocked" | "claimed" | "done" | "open"
    id: string
    text: string
    phase: number | null
    plan: number | null
    wave: number
    after: string[]
  }>
  more: boolean
}

/** What `cairn.task.wait` takes. */
export type TaskWaitInput = {
  /** Maximum time to wait, up to 1h; default 30s. */
  timeout?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.task.wait` answers. */
export type TaskWaitAnswer = {
  id: string | null
  tasks: number
  open: number
  claimed: number
  blocked: number
  done: number
}

/** What `cairn.task.claim` takes. */
export type TaskClaimInput = {
  /** The task: its id or number. */
  task?: string | undefined
  /** How long without a heartbeat: 30s, 5m … */
  ttl?: string | undefined
  /** Who. */
  holder?: string | undefined
  /** Claim again what this session already holds: it gets a new token, and the old one is fenced. */
  reclaim?: boolean | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.task.claim` answers. */
export type TaskClaimAnswer = {
  id: null
} | {
  status: string
  token: string
  ttl_ms: number
  expires_at: string
  id: string
  text: string
  phase: number | null
  plan: number | null
  wave: number
  after: string[]
}

/** What `cairn.task.progress` takes. */
export type TaskProgressInput = {
  /** The task: its id or number. */
  task?: string | undefined
  /** The token that the claim returned. */
  token?: string | undefined
  /** How it goes. */
  note?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.task.progress` answers. */
export type TaskProgressAnswer = {
  id: string
  status: string
  note: string | null
  expires_at: string | null
}

/** What `cairn.task.done` takes. */
export type TaskDoneInput = {
  /** The task: its id or number. */
  task?: string | undefined
  /** The token that the claim returned. */
  token?: string | undefined
  /** What came of it. */
  result?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.task.done` answers. */
export type TaskDoneAnswer = {
  id: string
  status: string
  next: {
    id: string
    text: string
    phase: number | null
    plan: number | null
    wave: number
    after: string[]
  } | null
}

/** What `cairn.task.block` takes. */
export type TaskBlockInput = {
  /** The task: its id or number. */
  task?: string | undefined
  /** Why. */
  reason?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.task.block` answers. */
export type TaskBlockAnswer = {
  id: string
  status: string
  reason: string | null
  paused_phases: number[]
  all_blocked: boolean
}

/** What `cairn.task.reset` takes. */
export type TaskResetInput = {
  /** The task: its id or number. */
  task: string
  /** Why. */
  reason?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.task.reset` answers. */
export type TaskResetAnswer = {
  id: string
  status: string
  was: "blocked" | "claimed" | "done" | "open"
  why: "reopened" | "reset" | "stale" | "unblocked"
  crashed: boolean
}

/** What `cairn.task.after` takes. */
export type TaskAfterInput = {
  /** The task: its id or number. */
  task: string
  /** Tasks that must be done before. */
  after?: string[] | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.task.after` answers. */
export type TaskAfterAnswer = {
  id: string
  text: string
  phase: number | null
  plan: number | null
  wave: number
  after: string[]
}

export interface TaskOperations {
  /** Add a task to the plan; it is ready once the tasks before it are done. */
  add(input: TaskAddInput, signal?: AbortSignal): Promise<TaskAddAnswer>
  /** List the tasks of the plan by their numbers, and what has become of each. */
  list(input: TaskListInput, signal?: AbortSignal): Promise<TaskListAnswer>
  /** List the tasks that can be begun now, in the order in which they are handed out. */
  ready(input: TaskReadyInput, signal?: AbortSignal): Promise<TaskReadyAnswer>
  /** Wait until a task is ready to be claimed, or until all tasks are done. */
  wait(input: TaskWaitInput, signal?: AbortSignal): Promise<TaskWaitAnswer>
  /** Claim a task, or the next one that is ready, so that nobody else works on it. */
  claim(input: TaskClaimInput, signal?: AbortSignal): Promise<TaskClaimAnswer>
  /** Say that a claimed task goes on: its claim holds for another while. */
  progress(input: TaskProgressInput, signal?: AbortSignal): Promise<TaskProgressAnswer>
  /** Say that a claimed task is done; those who waited for it may begin. */
  done(input: TaskDoneInput, signal?: AbortSignal): Promise<TaskDoneAnswer>
  /** Say that a task cannot be worked on now; whoever had claimed it gives it up. */
  block(input: TaskBlockInput, signal?: AbortSignal): Promise<TaskBlockAnswer>
  /** Make a task open again: its claim was given up or is stale, or it was not done well. */
  reset(input: TaskResetInput, signal?: AbortSignal): Promise<TaskResetAnswer>
  /** Set which tasks must be done before one; without any it waits for none. */
  after(input: TaskAfterInput, signal?: AbortSignal): Promise<TaskAfterAnswer>
}

/** What `cairn.checkpoint.add` takes. */
export type CheckpointAddInput = {
  /** What is then complete. */
  text: string
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.checkpoint.add` answers. */
export type CheckpointAddAnswer = {
  checkpoint: number
  text: string
  status: string
  started_at: string | null
  completed_at: string | null
}

/** What `cairn.checkpoint.start` takes. */
export type CheckpointStartInput = {
  /** The build checkpoint. */
  checkpoint: number
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.checkpoint.start` answers. */
export type CheckpointStartAnswer = {
  changed: boolean
  checkpoint: number
  text: string
  status: string
  started_at: string | null
  completed_at: string | null
}

/** What `cairn.checkpoint.complete` takes. */
export type CheckpointCompleteInput = {
  /** The build checkpoint. */
  checkpoint: number
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.checkpoint.complete` answers. */
export type CheckpointCompleteAnswer = {
  changed: boolean
  checkpoint: number
  text: string
  status: string
  started_at: string | null
  completed_at: string | null
}

/** What `cairn.checkpoint.list` takes. */
export type CheckpointListInput = {
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.checkpoint.list` answers. */
export type CheckpointListAnswer = {
  readonly checkpoints: Array<{
    checkpoint: number
    text: string
    status: string
    started_at: string | null
    completed_at: string | null
  }>
  /** The lowest that is not complete. */
  readonly current_checkpoint: number | null
}

export interface CheckpointOperations {
  /** Add a build checkpoint: a unit of work that the plan counts by. */
  add(input: CheckpointAddInput, signal?: AbortSignal): Promise<CheckpointAddAnswer>
  /** Say that work on a build checkpoint has begun; twice does nothing. */
  start(input: CheckpointStartInput, signal?: AbortSignal): Promise<CheckpointStartAnswer>
  /** Say that a build checkpoint is complete, in any order; twice does nothing. */
  complete(input: CheckpointCompleteInput, signal?: AbortSignal): Promise<CheckpointCompleteAnswer>
  /** List the build checkpoints; the current one is the lowest that is not complete. */
  list(input: CheckpointListInput, signal?: AbortSignal): Promise<CheckpointListAnswer>
}

/** What `cairn.manifest.show` takes. */
export type ManifestShowInput = {
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.manifest.show` answers. */
export type ManifestShowAnswer = {
  session_id: string
  topic: string
  description: string
  session_type: string
  created_at: string
  updated_at: string
  current_phase: string
  status: "active" | "complete" | "failed" | "paused"
  phase_history: Record<string, string | null>
  build_progress: {
    checkpoints_total: number
    checkpoints_completed: number[]
    current_checkpoint: number | null
  }
  git: {
    branch: string | null
    worktree: string | null
    base_branch: string | null
  }
  commits: Array<{
    sha: string
    message: string
    checkpoint: number | null
    created_at: string
  }>
  artifacts: Record<string, string>
}

export interface ManifestOperations {
  /** Show what the work is tied to: its phases, build checkpoints, git, commits and artifacts. */
  show(input: ManifestShowInput, signal?: AbortSignal): Promise<ManifestShowAnswer>
}

/** What `cairn.git.set` takes. */
export type GitSetInput = {
  /** The branch. */
  branch?: string | undefined
  /** The worktree, relative to the project directory. */
  worktree?: string | undefined
  /** The branch that it started from. */
  base_branch?: string | undefined
  /** What there is none of any more. */
  clear?: Array<"base_branch" | "branch" | "worktree"> | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.git.set` answers. */
export type GitSetAnswer = {
  branch: string | null
  worktree: string | null
  base_branch: string | null
  changed: boolean
}

export interface GitOperations {
  /** Say which branch and worktree this work is on; what is not named stays. */
  set(input: GitSetInput, signal?: AbortSignal): Promise<GitSetAnswer>
}

/** What `cairn.commit.add` takes. */
export type CommitAddInput = {
  /** The hash of the commit. */
  sha: string
  /** The message of the commit. */
  message: string
  /** The build checkpoint that it belongs to. */
  checkpoint?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.commit.add` answers. */
export type CommitAddAnswer = {
  added: false
  no: number
  sha: string
  message: string
  checkpoint: number | null
  created_at: string
} | {
  added: true
  no: number
  sha: string
  message: string
  checkpoint: number | null
  created_at: string
}

/** What `cairn.commit.list` takes. */
export type CommitListInput = {
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.commit.list` answers. */
export type CommitListAnswer = {
  commits: Array<{
    no: number
    sha: string
    message: string
    checkpoint: number | null
    created_at: string
  }>
}

export interface CommitOperations {
  /** Record a commit; one that was recorded before is left as it is. */
  add(input: CommitAddInput, signal?: AbortSignal): Promise<CommitAddAnswer>
  /** List the commits that were recorded. */
  list(input: CommitListInput, signal?: AbortSignal): Promise<CommitListAnswer>
}

/** What `cairn.artifact.add` takes. */
export type ArtifactAddInput = {
  /** What the artifact is called. */
  name: string
  /** Its path, relative to the project directory. */
  path: string
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.artifact.add` answers. */
export type ArtifactAddAnswer = {
  name: string
  path: string
  changed: boolean
}

/** What `cairn.artifact.list` takes. */
export type ArtifactListInput = {
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.artifact.list` answers. */
export type ArtifactListAnswer = {
  artifacts: Array<{
    name: string
    path: string
    recorded_at: string
  }>
}

export interface ArtifactOperations {
  /** Name a file that the work has made; the same name again means another file. */
  add(input: ArtifactAddInput, signal?: AbortSignal): Promise<ArtifactAddAnswer>
  /** List the files that the work has made. */
  list(input: ArtifactListInput, signal?: AbortSignal): Promise<ArtifactListAnswer>
}

/** What `cairn.journal.show` takes. */
export type JournalShowInput = {
  /** Maximum number of results. */
  limit?: number | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.journal.show` answers. */
export type JournalShowAnswer = {
  root_session_id: string
  position: {
    phase: number | null
    plan: number | null
    task: string | null
    wave: number | null
    status: string | null
    at: string | null
    by: string | null
  } | null
  next_action: {
    seq: number
    at: string
    by: string | null
    text: string
  } | null
  decisions: Array<{
    seq: number
    at: string
    by: string | null
    id: string
    kind: string
    decision: string
    context: string
    reason: string
    alternatives: Array<Record<string, string>>
    reversible: boolean
    supersedes: string | null
    superseded_by: string | null
  }>
  blockers: Array<{
    seq: number
    at: string
    by: string | null
    id: string
    status: string
    description: string
    affects: string[]
    blocked_tasks: string[]
    workaround: string | null
    workaround_tasks: string[]
    resolution: string | null
    identified_at: string
    resolved_at: string | null
    changed_at: string
    changed_by: string | null
  }>
  resume_context: {
    files: Array<{
      seq: number
      at: string
      by: string | null
      file: string
    }>
    implementations: Array<{
      seq: number
      at: string
      by: string | null
      text: string
      file: string | null
      contains: string | null
      command: string | null
    }>
    open_questions: Array<{
      seq: number
      at: string
      by: string | null
      id: string
      question: string
      answer: string | null
      answered_at: string | null
      answered_by: string | null
    }>
  }
  verifications: Array<{
    seq: number
    at: string
    by: string | null
    text: string
    passed: boolean
    details: string | null
  }>
  notes: Array<{
    seq: number
    at: string
    by: string | null
    text: string
  }>
  sittings: Array<{
    id: string
    session_id: string | null
    run: string
    status: string
    started_at: string
    ended_at: string | null
    working_on: string | null
    follows: string | null
    context_usage: number | null
    completed: string[]
    notes: string | null
    issues: string[]
    handoff_reason: string | null
  }>
  counts: Record<string, number>
}

/** What `cairn.journal.update` takes. */
export type JournalUpdateInput = {
  /** The number of the phase. */
  phase?: number | null | undefined
  /** The number of the plan within it. */
  plan?: number | null | undefined
  /** The task, in a few words or by its id. */
  task?: string | null | undefined
  /** The wave within the plan. */
  wave?: number | null | undefined
  /** How it goes there, in a word: in_progress, waiting … */
  status?: string | null | undefined
  /** What comes next. */
  next?: string | undefined
  /** A note. */
  note?: string | undefined
  /** Files that were changed, relative to the project. */
  files?: string[] | undefined
  /** What was built: a text, or {text, file, contains, command} to check it by. */
  implementations?: Array<{
    text: string
    command?: string | undefined
    file?: string | undefined
    contains?: string | undefined
  }> | undefined
  /** What is not known yet. */
  questions?: string[] | undefined
  /** What was checked and is as it should be: a text, or {text, details}. */
  verified?: Array<{
    text: string
    details?: string | undefined
  }> | undefined
  /** What was checked and is not: a text, or {text, details}. */
  failed?: Array<{
    text: string
    details?: string | undefined
  }> | undefined
  /** Lists of the resume context to empty first. */
  clear?: Array<"files" | "implementations" | "questions"> | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.journal.update` answers. */
export type JournalUpdateAnswer = {
  recorded: number
  seq: number
}

/** What `cairn.journal.position` takes. */
export type JournalPositionInput = {
  /** The number of the phase. */
  phase?: number | null | undefined
  /** The number of the plan within it. */
  plan?: number | null | undefined
  /** The task, in a few words or by its id. */
  task?: string | null | undefined
  /** The wave within the plan. */
  wave?: number | null | undefined
  /** How it goes there, in a word: in_progress, waiting … */
  status?: string | null | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.journal.position` answers. */
export type JournalPositionAnswer = {
  seq: number
  readonly phase?: number | null
  readonly plan?: number | null
  readonly task?: string | null
  readonly wave?: number | null
  readonly status?: string | null
}

/** What `cairn.journal.next` takes. */
export type JournalNextInput = {
  /** The next action. */
  text: string
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.journal.next` answers. */
export type JournalNextAnswer = {
  text: string
  seq: number
}

/** What `cairn.journal.note` takes. */
export type JournalNoteInput = {
  /** The note. */
  text: string
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.journal.note` answers. */
export type JournalNoteAnswer = {
  text: string
  seq: number
}

/** What `cairn.journal.answer` takes. */
export type JournalAnswerInput = {
  /** The question. */
  question: string
  /** The answer. */
  answer: string
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.journal.answer` answers. */
export type JournalAnswerAnswer = {
  id: string
  answer: string
  seq: number
}

/** What `cairn.journal.brief` takes. */
export type JournalBriefInput = {
  /** What changed after this point; after a time, a report of what has become of the work. Default your last sitting. A sequence number, or a time. */
  since?: number | string | undefined
  /** At most so many tokens; default 2000. */
  max_tokens?: number | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.journal.brief` answers. */
export type JournalBriefAnswer = {
  report?: {
    /** From when on it tells. */
    since: string
    /** The moment that it is about: now, or that of the event it was asked as of. */
    until: string
    /** How much of the work is done, whenever that was. Agents that were skipped do not count. */
    done: {
      agents: {
        total: number
        done: number
      }
      tasks: {
        total: number
        done: number
      }
    }
    /** Who works at that moment: agents, other sessions below the root, and whoever sits at work on it. */
    running: Array<{
      /** What the workflow calls the agent; the id of a sitting; of any other session its name. */
      name: string
      session_id: string
      what: "agent" | "session" | "sitting"
      /** Since when, and for how long without the time that it stood still. */
      since: string
      ran_ms: number
      /** When anything was last recorded of it; null where nothing was for long. */
      wrote_at: string | null
    }>
    /** Who stands still or waits for something; who does so longest comes first. */
    parked: Array<{
      /** What the workflow calls the agent; the id of a sitting; of any other session its name. */
      name: string
      session_id: string
      /** Whether it stands still or has no process. */
      status: string
      since: string
      /** What it waits for; null where a person has stopped it. */
      waits_for: "approval" | "backoff" | "blocker" | "children" | "consent" | "pause" | "question" | "rate_limit" | null
      /** When it goes on by itself. */
      wake_at: string | null
    }>
    /** Whose program ended otherwise than it should; the newest first. */
    died: Array<{
      /** What the workflow calls the agent; the id of a sitting; of any other session its name. */
      name: string
      session_id: string
      what: "agent" | "session" | "sitting"
      at: string
      /** What ended it; `lost` where nobody saw how. */
      cause: "budget" | "crash" | "exit" | "idle" | "lost" | "network" | "person" | "rate_limit" | "timeout"
      exit_code: number | null
      /** The number of the signal that killed it. */
      signal: number | null
      /** What was said of it. */
      reason: string | null
      /** What has become of it; null where nothing has so far. */
      became: "begun_anew" | "cancelled" | "given_up" | "tried_again" | "waits" | null
      /** When it was tried again, or will be. */
      again_at: string | null
      /** Of one that was tried again: with what of its memory. */
      rung: "adopt" | "fresh" | "replay" | "resume" | null
      /** Of one that waits: for what. */
      waits_for: "approval" | "backoff" | "blocker" | "children" | "consent" | "pause" | "question" | "rate_limit" | null
    }>
    /** When nobody saw to the agents; the newest first. */
    servers: Array<{
      /** When the server was seen dead; null where that is not known. */
      at: string | null
      /** How it ended; null where that is not known. */
      how: string | null
      /** When another saw to the agents. */
      back_at: string
      /** How many agents ran on meanwhile, and how many were lost with it or before. */
      kept_running: number
      lost: number
    }>
    /** What the runs that were worked on in that time have used in it. */
    cost: {
      input_tokens: number
      output_tokens: number
      cached_tokens: number
      /** US dollars, as far as runs said; null where none did. */
      usd: number | null
      /** How many runs used anything, and how many of those did not say what it cost. */
      runs: number
      runs_without_usd: number
    }
    /** What waits for a person; what waits longest comes first. */
    needs: Array<{
      id: string
      kind: "approval" | "blocker" | "failed" | "question" | "stale"
      /** What the workflow calls the agent that it is about; null where it is about none. */
      agent: string | null
      session_id: string
      text: string
      since: string
      /** The operation that answers it, and the command for that; what stands in capitals is to be filled in. */
      operation: string
      command: string
    }>
    /** How many of each there are besides: a report costs the same, whatever there is. */
    left_out: {
      running: number
      parked: number
      died: number
      needs: number
      /** Runs whose use is not in the cost, and whose end was not looked at. */
      runs: number
    }
  }
  readonly text: string
  readonly tokens: number
  /** How many of each were left out. */
  readonly left_out: Record<string, number>
  root_session_id: string
  seq: number
  since: number | null
}

/** What `cairn.journal.diff` takes. */
export type JournalDiffInput = {
  /** The first point: a sequence number, a time, or now. */
  from: number | string
  /** The second point, likewise. */
  to: number | string
  /** Only keys after this one: continues where a page ended. */
  after?: string | undefined
  /** Maximum number of results. */
  limit?: number | undefined
  /** At most so many phases, tasks, decisions … each; default 50. */
  entries?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.journal.diff` answers. */
export type JournalDiffAnswer = {
  position: {
    readonly op: "added" | "changed" | "removed"
    readonly id: string
    /** What it is about, where that never changes. */
    readonly text: string | null
    readonly before: Record<string, number | string | null> | null
    readonly after: Record<string, number | string | null> | null
  } | null
  next_action: {
    readonly op: "added" | "changed" | "removed"
    readonly id: string
    /** What it is about, where that never changes. */
    readonly text: string | null
    readonly before: Record<string, number | string | null> | null
    readonly after: Record<string, number | string | null> | null
  } | null
  phases: {
    /** What was changed last comes first. */
    readonly changes: Array<{
      readonly op: "added" | "changed" | "removed"
      readonly id: string
      /** What it is about, where that never changes. */
      readonly text: string | null
      readonly before: Record<string, number | string | null> | null
      readonly after: Record<string, number | string | null> | null
    }>
    /** Of how many more there was something to record. */
    readonly more: number
  }
  tasks: {
    /** What was changed last comes first. */
    readonly changes: Array<{
      readonly op: "added" | "changed" | "removed"
      readonly id: string
      /** What it is about, where that never changes. */
      readonly text: string | null
      readonly before: Record<string, number | string | null> | null
      readonly after: Record<string, number | string | null> | null
    }>
    /** Of how many more there was something to record. */
    readonly more: number
  }
  checkpoints: {
    /** What was changed last comes first. */
    readonly changes: Array<{
      readonly op: "added" | "changed" | "removed"
      readonly id: string
      /** What it is about, where that never changes. */
      readonly text: string | null
      readonly before: Record<string, number | string | null> | null
      readonly after: Record<string, number | string | null> | null
    }>
    /** Of how many more there was something to record. */
    readonly more: number
  }
  decisions: {
    /** What was changed last comes first. */
    readonly changes: Array<{
      readonly op: "added" | "changed" | "removed"
      readonly id: string
      /** What it is about, where that never changes. */
      readonly text: string | null
      readonly before: Record<string, number | string | null> | null
      readonly after: Record<string, number | string | null> | null
    }>
    /** Of how many more there was something to record. */
    readonly more: number
  }
  blockers: {
    /** What was changed last comes first. */
    readonly changes: Array<{
      readonly op: "added" | "changed" | "removed"
      readonly id: string
      /** What it is about, where that never changes. */
      readonly text: string | null
      readonly before: Record<string, number | string | null> | null
      readonly after: Record<string, number | string | null> | null
    }>
    /** Of how many more there was something to record. */
    readonly more: number
  }
  next_after?: string
  from: number
  to: number
  changes: Array<{
    readonly op: "added"
    readonly path: string
    readonly after: Json
    readonly key: string
  } | {
    readonly op: "changed"
    readonly path: string
    readonly before: Json
    readonly after: Json
    readonly key: string
  } | {
    readonly op: "moved"
    readonly path: string
    readonly from: string
    readonly to: string
    readonly after: Json
    readonly key: string
  } | {
    readonly op: "removed"
    readonly path: string
    readonly before: Json
    readonly key: string
  }>
  has_more: boolean
  root_session_id: string
}

export interface JournalOperations {
  /** Show the journal: position, next action, blockers, decisions and open questions. */
  show(input: JournalShowInput, signal?: AbortSignal): Promise<JournalShowAnswer>
  /** Write into the journal, all at once: position, next action, a note, files, questions. */
  update(input: JournalUpdateInput, signal?: AbortSignal): Promise<JournalUpdateAnswer>
  /** Say where the work is now: phase, plan, task, wave. */
  position(input: JournalPositionInput, signal?: AbortSignal): Promise<JournalPositionAnswer>
  /** Say what comes next: whoever goes on reads it first. */
  next(input: JournalNextInput, signal?: AbortSignal): Promise<JournalNextAnswer>
  /** Add a note to the journal. */
  note(input: JournalNoteInput, signal?: AbortSignal): Promise<JournalNoteAnswer>
  /** Answer an open question of the journal. */
  answer(input: JournalAnswerInput, signal?: AbortSignal): Promise<JournalAnswerAnswer>
  /** Show where the work stands, within a number of tokens: what whoever goes on has to know. */
  brief(input: JournalBriefInput, signal?: AbortSignal): Promise<JournalBriefAnswer>
  /** Show what differs between two points: in the state, the plan and the journal. */
  diff(input: JournalDiffInput, signal?: AbortSignal): Promise<JournalDiffAnswer>
}

/** What `cairn.decision.add` takes. */
export type DecisionAddInput = {
  /** What was decided. */
  decision: string
  /** What it is about. */
  context: string
  /** Why. */
  reason: string
  /** The kind of decision; default architecture. */
  kind?: "architecture" | "constraint" | "preference" | "technology" | "trade-off" | undefined
  /** What else there was: a text, or {text, why_not}. */
  alternatives?: Array<{
    text: string
    why_not?: string | undefined
  }> | undefined
  /** It cannot be taken back. */
  irreversible?: boolean | undefined
  /** The decision that this one takes the place of. */
  supersedes?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
  /** Another name of `decision`. */
  text?: string | undefined
}

/** What `cairn.decision.add` answers. */
export type DecisionAddAnswer = {
  seq: number
  id: string
} | {
  seq: number
  supersedes: string
  id: string
}

/** What `cairn.decision.list` takes. */
export type DecisionListInput = {
  /** Include superseded ones. */
  all?: boolean | undefined
  /** Maximum number of results. */
  limit?: number | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.decision.list` answers. */
export type DecisionListAnswer = {
  decisions: Array<{
    seq: number
    at: string
    by: string | null
    id: string
    kind: string
    decision: string
    context: string
    reason: string
    alternatives: Array<Record<string, string>>
    reversible: boolean
    supersedes: string | null
    superseded_by: string | null
  }>
}

export interface DecisionOperations {
  /** Record a decision: what, what it is about, and why; what else there was, and why not. */
  add(input: DecisionAddInput, signal?: AbortSignal): Promise<DecisionAddAnswer>
  /** List the decisions that hold, the newest first. */
  list(input: DecisionListInput, signal?: AbortSignal): Promise<DecisionListAnswer>
}

/** What `cairn.blocker.add` takes. */
export type BlockerAddInput = {
  /** What is in the way. */
  description: string
  /** What it is in the way of; the id of a task blocks that. */
  affects?: string[] | undefined
  /** Tasks that it blocks. */
  tasks?: string[] | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
  /** Another name of `description`. */
  text?: string | undefined
}

/** What `cairn.blocker.add` answers. */
export type BlockerAddAnswer = {
  seq: number
  blocked_tasks: string[]
  paused_phases: number[]
  id: string
  status: string
} | {
  seq: number
  need: string
  blocked_tasks: string[]
  paused_phases: number[]
  id: string
  status: string
}

/** What `cairn.blocker.bypass` takes. */
export type BlockerBypassInput = {
  /** The blocker. */
  blocker: string
  /** What is done instead. */
  workaround: string
  /** Tasks that the workaround consists of. */
  tasks?: string[] | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.blocker.bypass` answers. */
export type BlockerBypassAnswer = {
  seq: number
  id: string
  status: string
  open_tasks: string[]
}

/** What `cairn.blocker.resolve` takes. */
export type BlockerResolveInput = {
  /** The blocker. */
  blocker: string
  /** What ended it. */
  resolution: string
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.blocker.resolve` answers. */
export type BlockerResolveAnswer = {
  seq: number
  id: string
  status: string
  open_tasks: string[]
}

/** What `cairn.blocker.list` takes. */
export type BlockerListInput = {
  /** Include resolved ones. */
  all?: boolean | undefined
  /** Maximum number of results. */
  limit?: number | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.blocker.list` answers. */
export type BlockerListAnswer = {
  blockers: Array<{
    seq: number
    at: string
    by: string | null
    id: string
    status: string
    description: string
    affects: string[]
    blocked_tasks: string[]
    workaround: string | null
    workaround_tasks: string[]
    resolution: string | null
    identified_at: string
    resolved_at: string | null
    changed_at: string
    changed_by: string | null
  }>
}

export interface BlockerOperations {
  /** Say what is in the way; tasks that it affects are blocked. */
  add(input: BlockerAddInput, signal?: AbortSignal): Promise<BlockerAddAnswer>
  /** Say how work goes on around a blocker: the tasks that it blocked are open again. */
  bypass(input: BlockerBypassInput, signal?: AbortSignal): Promise<BlockerBypassAnswer>
  /** Say that a blocker is gone, and what ended it: the tasks that it blocked are open again. */
  resolve(input: BlockerResolveInput, signal?: AbortSignal): Promise<BlockerResolveAnswer>
  /** List what is in the way, the newest first. */
  list(input: BlockerListInput, signal?: AbortSignal): Promise<BlockerListAnswer>
}

/** What `cairn.need.list` takes. */
export type NeedListInput = {
  /** Maximum number of results. */
  limit?: number | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.need.list` answers. */
export type NeedListAnswer = {
  needs: Array<{
    text: string
    about: string | null
    since: string
    actions: string[]
    agent?: string
    id: string
    kind: string
    session_id: string
    root_session_id: string
  }>
}

/** What `cairn.need.all` takes. */
export type NeedAllInput = {
  /** Maximum number of results. */
  limit?: number | undefined
}

/** What `cairn.need.all` answers. */
export type NeedAllAnswer = {
  needs: Array<{
    text: string
    about: string | null
    since: string
    actions: string[]
    agent?: string
    id: string
    kind: string
    session_id: string
    root_session_id: string
  }>
}

export interface NeedOperations {
  /** List what waits for a person in one root, the oldest first. */
  list(input: NeedListInput, signal?: AbortSignal): Promise<NeedListAnswer>
  /** List what waits for you, in all roots, the oldest first. */
  all(input: NeedAllInput, signal?: AbortSignal): Promise<NeedAllAnswer>
}

/** What `cairn.sitting.start` takes. */
export type SittingStartInput = {
  /** What is worked on; default the task of the position. */
  working_on?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.sitting.start` answers. */
export type SittingStartAnswer = {
  session_id: string
  resumed_from: string | null
  seq: number
  id: string
  run: string
  working_on: string | null
  notes: string | null
}

/** What `cairn.sitting.end` takes. */
export type SittingEndInput = {
  /** The sitting; default the open one of the session. */
  sitting?: string | undefined
  /** Share of the context window in use, 0 to 1. */
  context_usage?: number | undefined
  /** What was done in it. */
  completed?: string[] | undefined
  /** What the next one should know. */
  notes?: string | undefined
  /** What went wrong. */
  issues?: string[] | undefined
  /** Why the work is handed on. */
  handoff?: string | undefined
  /** It ended without being able to say so. */
  crashed?: boolean | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.sitting.end` answers. */
export type SittingEndAnswer = {
  seq: number
  id: string
  session_id: string | null
  run: string
  status: string
  started_at: string
  ended_at: string | null
  working_on: string | null
  follows: string | null
  context_usage: number | null
  completed: string[]
  notes: string | null
  issues: string[]
  handoff_reason: string | null
}

/** What `cairn.sitting.list` takes. */
export type SittingListInput = {
  /** Maximum number of results. */
  limit?: number | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.sitting.list` answers. */
export type SittingListAnswer = {
  sittings: Array<{
    id: string
    session_id: string | null
    run: string
    status: string
    started_at: string
    ended_at: string | null
    working_on: string | null
    follows: string | null
    context_usage: number | null
    completed: string[]
    notes: string | null
    issues: string[]
    handoff_reason: string | null
  }>
}

export interface SittingOperations {
  /** Begin a sitting: one stretch of work on a session. It takes up one that crashed. */
  start(input: SittingStartInput, signal?: AbortSignal): Promise<SittingStartAnswer>
  /** End a sitting: what was done, what went wrong, and why the work is handed on. */
  end(input: SittingEndInput, signal?: AbortSignal): Promise<SittingEndAnswer>
  /** List the sittings of a root, the newest first: who sat, how it ended, and what was done. */
  list(input: SittingListInput, signal?: AbortSignal): Promise<SittingListAnswer>
}

/** What `cairn.schema.set` takes. */
export type SchemaSetInput = {
  /** The key, or a prefix of keys. */
  target: string
  /** A JSON Schema (2020-12). */
  schema: Json
  /** Apply to all keys with this prefix; "" is all keys. */
  prefix?: boolean | undefined
  /** Set it even if existing values violate it. */
  force?: boolean | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.schema.set` answers. */
export type SchemaSetAnswer = {
  schema: Json
  broken: Array<{
    key: string
    path: string
    message: string
  }>
  seq: number
  readonly target: string
  readonly prefix: boolean
}

/** What `cairn.schema.list` takes. */
export type SchemaListInput = {
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.schema.list` answers. */
export type SchemaListAnswer = {
  schemas: Array<{
    schema: Json
    updated_at: string
    updated_by: string | null
    seq: number
    readonly target: string
    readonly prefix: boolean
  }>
}

/** What `cairn.schema.delete` takes. */
export type SchemaDeleteInput = {
  /** The key, or a prefix of keys. */
  target: string
  /** Apply to all keys with this prefix; "" is all keys. */
  prefix?: boolean | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.schema.delete` answers. */
export type SchemaDeleteAnswer = {
  deleted: true
  seq: number
  readonly target: string
  readonly prefix: boolean
}

export interface SchemaOperations {
  /** Validate the values of a key or a prefix against a JSON Schema. */
  set(input: SchemaSetInput, signal?: AbortSignal): Promise<SchemaSetAnswer>
  /** List the schemas of a root, as they are now or as they were. */
  list(input: SchemaListInput, signal?: AbortSignal): Promise<SchemaListAnswer>
  /** Delete a schema; values do not change. */
  delete(input: SchemaDeleteInput, signal?: AbortSignal): Promise<SchemaDeleteAnswer>
}

/** What `cairn.workflow.checkpoint` takes. */
export type WorkflowCheckpointInput = {
  /** The last one up to this sequence number of the log. */
  at?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.workflow.checkpoint` answers. */
export type WorkflowCheckpointAnswer = {
  checkpoint: JsonObject
}

/** What `cairn.workflow.recovery` takes. */
export type WorkflowRecoveryInput = {
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.workflow.recovery` answers. */
export type WorkflowRecoveryAnswer = {
  supervised: boolean
  steps: Array<{
    id: string
    name: string
    session_id: string
    was: "cancelled" | "completed" | "created" | "failed" | "paused" | "resumable" | "running" | "skipped"
    cause: "budget" | "crash" | "exit" | "idle" | "lost" | "network" | "person" | "rate_limit" | "timeout"
    rung: "adopt" | "fail" | "fresh" | "replay" | "resume" | "wait"
    reason: string | null
  }>
}

/** What `cairn.workflow.extend` takes. */
export type WorkflowExtendInput = {
  /** New agents, as in a workflow file. */
  agents?: Json[] | undefined
  /** New phases, after those that are there: [{name, when?}]. */
  phases?: Json[] | undefined
  /** New profiles by name. */
  profiles?: JsonObject | undefined
  /** How many agents run at a time from now on. */
  max_parallel?: number | undefined
  /** What may be used up from now on: {tokens, usd, wall}. */
  budget?: JsonObject | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.workflow.extend` answers. */
export type WorkflowExtendAnswer = {
  root_session_id: string
  agents: Array<{
    id: string
    name: string
    session_id: string
  }>
  seq: number
}

/** What `cairn.workflow.step` takes. */
export type WorkflowStepInput = {
  /** What becomes of them, in order. */
  moves: Array<{
    /** Which one. */
    readonly move: "cancel" | "fail" | "skip"
    /** The number of the session of an agent. */
    readonly agent: number
    /** Why. */
    readonly reason: string
  } | {
    /** Which one. */
    readonly move: "checkpoint"
    /** Why. */
    readonly why: "agent" | "build" | "person" | "phase" | "plan" | "recovery"
    /** Counted from 1. */
    readonly phase?: number | undefined
    /** The number of the session of an agent. */
    readonly agent?: number | undefined
  } | {
    /** Which one. */
    readonly move: "complete"
    /** The number of the session of an agent. */
    readonly agent: number
  } | {
    /** Which one. */
    readonly move: "exit"
    /** The number of the session of an agent. */
    readonly agent: number
    /** The run. */
    readonly run: string
    /** What ended it. */
    readonly cause: "budget" | "crash" | "exit" | "idle" | "network" | "person" | "rate_limit" | "timeout"
    /** Its exit code. */
    readonly exit_code?: number | undefined
    /** The signal. */
    readonly signal?: string | undefined
    /** Why. */
    readonly reason?: string | undefined
    /** Milliseconds since 1970. */
    readonly retry_at?: number | undefined
    readonly result?: {
      /** What it left. */
      readonly text?: string | undefined
      /** SHA-256. */
      readonly blob?: string | undefined
      /** Its length. */
      readonly bytes: number
      /** SHA-256. */
      readonly digest: string
    } | undefined
    /** How the run ended. */
    readonly how: "cancelled" | "completed" | "crashed" | "failed" | "timeout"
  } | {
    /** Which one. */
    readonly move: "need"
    /** The number of the session of an agent. */
    readonly agent: number
    readonly raises: {
      /** Why a person is needed. */
      readonly kind: "approval" | "blocker" | "failed" | "question" | "stale"
      /** What it is about. */
      readonly text: string
      /** What of the session; its kind unless given. */
      readonly about?: string | undefined
      /** What a person may answer with. */
      readonly actions?: ReadonlyArray<string> | undefined
    }
  } | {
    /** Which one. */
    readonly move: "park"
    /** The number of the session of an agent. */
    readonly agent: number
    /** What it waits for. */
    readonly why: "approval" | "backoff" | "blocker" | "children" | "consent" | "pause" | "question" | "rate_limit"
    /** Milliseconds since 1970. */
    readonly wake_at?: number | undefined
    /** Counted from 1. */
    readonly need?: number | undefined
    /** Counted from 1. */
    readonly blocker?: number | undefined
    /** Failed runs. */
    readonly failures?: number | undefined
    readonly raises?: {
      /** Why a person is needed. */
      readonly kind: "approval" | "blocker" | "failed" | "question" | "stale"
      /** What it is about. */
      readonly text: string
      /** What of the session; its kind unless given. */
      readonly about?: string | undefined
      /** What a person may answer with. */
      readonly actions?: ReadonlyArray<string> | undefined
    } | undefined
  } | {
    /** Which one. */
    readonly move: "paused" | "thawed"
    /** The number of the session of an agent. */
    readonly agent: number
  } | {
    /** Which one. */
    readonly move: "phase"
    /** The number of a phase. */
    readonly phase: number
    /** What it becomes. */
    readonly to: "completed" | "failed" | "paused" | "planned" | "running" | "skipped"
    /** Why. */
    readonly reason?: string | undefined
  } | {
    /** Which one. */
    readonly move: "recovery"
    /** What is done, in order. */
    readonly steps: ReadonlyArray<{
      /** The number of the session of an agent. */
      readonly agent: number
      /** Its status. */
      readonly was: "cancelled" | "completed" | "created" | "failed" | "paused" | "resumable" | "running" | "skipped"
      /** What happened. */
      readonly cause: "budget" | "crash" | "exit" | "idle" | "lost" | "network" | "person" | "rate_limit" | "timeout"
      /** How it goes on. */
      readonly rung: "adopt" | "fail" | "fresh" | "replay" | "resume" | "wait"
      /** Why. */
      readonly reason?: string | undefined
    }>
    /** The server that ran them before and died. */
    readonly server?: {
      /** When that was seen, in ISO 8601. */
      readonly at: string
      /** How it died. */
      readonly how: string
      /** When another served again, in ISO 8601. */
      readonly back: string
    } | undefined
  } | {
    /** Which one. */
    readonly move: "root"
    /** How it ended. */
    readonly to: "completed" | "failed"
    /** Why. */
    readonly reason?: string | undefined
  } | {
    /** Which one. */
    readonly move: "start"
    /** The number of the session of an agent. */
    readonly agent: number
    /** The run. */
    readonly run: string
    /** How it goes on. */
    readonly rung: "adopt" | "fresh" | "replay" | "resume"
    /** Which attempt. */
    readonly attempt: number
    /** The model. */
    readonly model?: string | undefined
    /** A hash, to tell whether it has changed. */
    readonly prompt?: string | undefined
    /** A hash, to tell whether it has changed. */
    readonly tools?: string | undefined
    /** What runs it. */
    readonly adapter: string
  } | {
    /** Which one. */
    readonly move: "wake"
    /** The number of the session of an agent. */
    readonly agent: number
    /** What woke it. */
    readonly by: "approval" | "backoff" | "blocker" | "children" | "consent" | "pause" | "person" | "question" | "rate_limit"
    /** What it is told. */
    readonly text?: string | undefined
  }>
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.workflow.step` answers. */
export type WorkflowStepAnswer = {
  seq: number
  made: number
  refused: Array<{
    index: number
    error: RefusalCode
    message: string
  }>
}

export interface WorkflowOperations {
  /** Show the last checkpoint, as checkpoint.json has it: where the work stood at an event. */
  checkpoint(input: WorkflowCheckpointInput, signal?: AbortSignal): Promise<WorkflowCheckpointAnswer>
  /** Show what recovery would do with each agent whose process is gone. */
  recovery(input: WorkflowRecoveryInput, signal?: AbortSignal): Promise<WorkflowRecoveryAnswer>
  /** Add agents, phases or profiles to a workflow while it runs. */
  extend(input: WorkflowExtendInput, signal?: AbortSignal): Promise<WorkflowExtendAnswer>
  /** Record what becomes of agents, many moves at once; those that no longer fit are named and change nothing. */
  step(input: WorkflowStepInput, signal?: AbortSignal): Promise<WorkflowStepAnswer>
}

/** What `cairn.lease.claim` takes. */
export type LeaseClaimInput = {
  /** Name of the lease. */
  name: string
  /** How long without a heartbeat: 30s, 5m … */
  ttl: string
  /** Who. */
  holder?: string | undefined
  /** Claim again what this session already holds: it gets a new token, and the old one is fenced. */
  reclaim?: boolean | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.lease.claim` answers. */
export type LeaseClaimAnswer = {
  name: string
  token: string
  ttl_ms: number
  expires_at: string
}

/** What `cairn.lease.heartbeat` takes. */
export type LeaseHeartbeatInput = {
  /** Name of the lease. */
  name: string
  /** The token that the claim returned. */
  token: string
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.lease.heartbeat` answers. */
export type LeaseHeartbeatAnswer = {
  name: string
  token: string
  ttl_ms: number
  expires_at: string
}

/** What `cairn.lease.release` takes. */
export type LeaseReleaseInput = {
  /** Name of the lease. */
  name: string
  /** The token that the claim returned. */
  token: string
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Makes retries safe: a repeat with the same id returns the first answer and does nothing else. */
  request_id?: string | undefined
  /** Only while this lease is held: NAME:TOKEN. */
  fence?: string | undefined
  /** The tool call that makes this change: its id in the conversation of the session that writes. */
  call?: string | undefined
  /** Allow values that look like secrets. */
  allow_secret?: boolean | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.lease.release` answers. */
export type LeaseReleaseAnswer = {
  name: string
  token: string
  released: true
}

/** What `cairn.lease.list` takes. */
export type LeaseListInput = {
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.lease.list` answers. */
export type LeaseListAnswer = {
  leases: Array<{
    held: boolean
    expires_at: string | null
    name: string
    epoch: number
    holder: string | null
    ttl_ms: number
  }>
}

export interface LeaseOperations {
  /** Claim a lease for a time; a claim after it expired gets a token with a higher epoch. */
  claim(input: LeaseClaimInput, signal?: AbortSignal): Promise<LeaseClaimAnswer>
  /** Extend a lease by its ttl; refused as fenced once it was lost. */
  heartbeat(input: LeaseHeartbeatInput, signal?: AbortSignal): Promise<LeaseHeartbeatAnswer>
  /** Release a lease before it expires. */
  release(input: LeaseReleaseInput, signal?: AbortSignal): Promise<LeaseReleaseAnswer>
  /** List the leases of a root: who holds or held them, and until when. */
  list(input: LeaseListInput, signal?: AbortSignal): Promise<LeaseListAnswer>
}

/** What `cairn.log.list` takes. */
export type LogListInput = {
  /** Only events after this point, oldest first; default the newest. A sequence number, or a time. */
  since?: number | string | undefined
  /** Maximum number of results. */
  limit?: number | undefined
  /** Only this stream: state, session/0, session/1 … */
  stream?: string | undefined
  /** The log as it ended at this sequence number. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.log.list` answers. */
export type LogListAnswer = {
  last_seq: number
  next_since?: number
  next_at?: number
  root_session_id: string
  events: Array<{
    /** Its place in the log of its root. */
    seq: number
    id: string
    session_no: number
    /** The session that it came from. */
    session_id: string | null
    stream: string
    /** Its place in its stream. */
    version: number
    /** The key of the state that it is about, if it is about one. */
    key: string | null
    type: string
    /** What happened; null where that is not here any more. */
    data: Json
    /** Why there is no data. */
    body?: "elsewhere" | "removed"
    /** The hash of the data that is not here. */
    digest?: string | null
    actor: string
    /** When, in ISO 8601. */
    at: string
    /** The request id of the call that made it. */
    request: string | null
    /** The run, tool call or other event that it came from. */
    cause: Json
    /** Covers this event and the hash of the one before. */
    hash: string
  }>
  has_more: boolean
}

/** What `cairn.log.wait` takes. */
export type LogWaitInput = {
  /** Events after this point; default the last one. A sequence number, or a time. */
  since?: number | string | undefined
  /** Maximum number of results. */
  limit?: number | undefined
  /** Only this stream: state, session/0 …; session/ for all that begin with it. */
  stream?: string | undefined
  /** Only events of this type, or of several, separated by commas. */
  type?: string | undefined
  /** Maximum time to wait, up to 1h; default 30s. */
  timeout?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.log.wait` answers. */
export type LogWaitAnswer = {
  last_seq: number
  next_since?: number
  next_at?: number
  root_session_id: string
  events: Array<{
    /** Its place in the log of its root. */
    seq: number
    id: string
    session_no: number
    /** The session that it came from. */
    session_id: string | null
    stream: string
    /** Its place in its stream. */
    version: number
    /** The key of the state that it is about, if it is about one. */
    key: string | null
    type: string
    /** What happened; null where that is not here any more. */
    data: Json
    /** Why there is no data. */
    body?: "elsewhere" | "removed"
    /** The hash of the data that is not here. */
    digest?: string | null
    actor: string
    /** When, in ISO 8601. */
    at: string
    /** The request id of the call that made it. */
    request: string | null
    /** The run, tool call or other event that it came from. */
    cause: Json
    /** Covers this event and the hash of the one before. */
    hash: string
  }>
  has_more: boolean
}

/** What `cairn.log.rows` takes. */
export type LogRowsInput = {
  /** The part: sessions, state … */
  part: string
  /** Only this table. */
  table?: string | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.log.rows` answers. */
export type LogRowsAnswer = {
  root_session_id: string
  part: string
  seq: number
  hash: string
  tables: Record<string, Array<Record<string, number | string | null>>>
}

/** What `cairn.log.times` takes. */
export type LogTimesInput = {
  /** How many events; default 100. */
  points?: number | undefined
  /** As of this sequence number of the log. */
  at?: number | undefined
  /** The same by its time, in ISO 8601. */
  at_time?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.log.times` answers. */
export type LogTimesAnswer = {
  root_session_id: string
  times: Array<{
    seq: number
    at: string
  }>
  last_seq: number
}

/** What `cairn.log.adopt` takes. */
export type LogAdoptInput = {
  /** The id of the root that the events are of. */
  root: string
  /** Events as the log shows them, without a gap. */
  events: JsonObject[]
  /** Another name of `root`. */
  root_session_id?: string | undefined
}

/** What `cairn.log.adopt` answers. */
export type LogAdoptAnswer = {
  root_session_id: string
  adopted: number
  forked_at: number | null
}

export interface LogOperations {
  /** List the events of the root in order: everything that happened, and who did it. */
  list(input: LogListInput, signal?: AbortSignal): Promise<LogListAnswer>
  /** Wait for the next events of the log, or for those after a sequence number. */
  wait(input: LogWaitInput, signal?: AbortSignal): Promise<LogWaitAnswer>
  /** Read the rows of a part as they are or were, to evolve them with the events that follow. */
  rows(input: LogRowsInput, signal?: AbortSignal): Promise<LogRowsAnswer>
  /** Show when events happened: the times of some, evenly spread over the log. */
  times(input: LogTimesInput, signal?: AbortSignal): Promise<LogTimesAnswer>
  /** Adopt events of another store unchanged: as a new root, more of a known one, or a fork of it. */
  adopt(input: LogAdoptInput, signal?: AbortSignal): Promise<LogAdoptAnswer>
}

/** What `cairn.token.create` takes. */
export type TokenCreateInput = {
  /** agent: writes the state of its root and acts on its subtree. reader: reads everything. */
  kind: "agent" | "reader"
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** What to call it. */
  name?: string | undefined
  /** The run of the agent that it is for; recorded with every write. */
  run?: string | undefined
  /** Writes with it require this lease: NAME:TOKEN. */
  lease?: string | undefined
  /** How long it is valid: 30s, 5m, 2h, 7d … */
  ttl?: string | undefined
  /** When it expires, in ISO 8601. */
  expires_at?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.token.create` answers. */
export type TokenCreateAnswer = {
  id: string
  kind: "agent" | "owner" | "reader"
  name: string | null
  session_id: string | null
  created_at: string
  /** When it got its present secret. */
  changed_at: string
  /** The life of an agent that it was made for. */
  run: string | null
  /** The lease that what is written with it is held to, and the epoch of the claim. */
  lease: {
    name: string
    epoch: number
  } | null
  /** From then on it counts no more; null for one that lasts. */
  expires_at: string | null
  token: string
}

/** What `cairn.token.list` takes. */
export type TokenListInput = {
  /** Maximum number of results. */
  limit?: number | undefined
  /** The next_cursor of the previous page. */
  cursor?: string | undefined
}

/** What `cairn.token.list` answers. */
export type TokenListAnswer = {
  tokens: Array<{
    id: string
    kind: "agent" | "owner" | "reader"
    name: string | null
    session_id: string | null
    created_at: string
    /** When it got its present secret. */
    changed_at: string
    /** The life of an agent that it was made for. */
    run: string | null
    /** The lease that what is written with it is held to, and the epoch of the claim. */
    lease: {
      name: string
      epoch: number
    } | null
    /** From then on it counts no more; null for one that lasts. */
    expires_at: string | null
  }>
  next_cursor: string | null
}

/** What `cairn.token.revoke` takes. */
export type TokenRevokeInput = {
  /** The token: its id, its name, or the end of its id; `install` is the owner token. */
  id: string
}

/** What `cairn.token.revoke` answers. */
export type TokenRevokeAnswer = {
  id: string
  revoked: true
}

/** What `cairn.token.rotate` takes. */
export type TokenRotateInput = {
  /** The token: its id, its name, or the end of its id; `install` is the owner token. */
  id: string
}

/** What `cairn.token.rotate` answers. */
export type TokenRotateAnswer = {
  id: string
  kind: "agent" | "owner" | "reader"
  name: string | null
  session_id: string | null
  created_at: string
  /** When it got its present secret. */
  changed_at: string
  /** The life of an agent that it was made for. */
  run: string | null
  /** The lease that what is written with it is held to, and the epoch of the claim. */
  lease: {
    name: string
    epoch: number
  } | null
  /** From then on it counts no more; null for one that lasts. */
  expires_at: string | null
  token: string
}

export interface TokenOperations {
  /** Create a token for an agent, bound to its session, or a read-only one; it is shown only once. */
  create(input: TokenCreateInput, signal?: AbortSignal): Promise<TokenCreateAnswer>
  /** List the tokens of agents and readers, newest first; secrets are never shown again. */
  list(input: TokenListInput, signal?: AbortSignal): Promise<TokenListAnswer>
  /** Revoke a token immediately, also on open connections. */
  revoke(input: TokenRevokeInput, signal?: AbortSignal): Promise<TokenRevokeAnswer>
  /** Give a token a new secret, shown only once; the old one is revoked immediately. */
  rotate(input: TokenRotateInput, signal?: AbortSignal): Promise<TokenRotateAnswer>
}

/** What `cairn.blob.list` takes. */
export type BlobListInput = {
  /** Maximum number of results. */
  limit?: number | undefined
  /** The next_cursor of the previous page. */
  cursor?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.blob.list` answers. */
export type BlobListAnswer = {
  root_session_id: string
  blobs: Array<{
    hash: string
    bytes: number
    created_at: string
  }>
  next_cursor: string | null
}

export interface BlobOperations {
  /** List the blobs of a root by hash: size and time of creation. */
  list(input: BlobListInput, signal?: AbortSignal): Promise<BlobListAnswer>
}

/** What `cairn.folder.list` takes. */
export type FolderListInput = {
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.folder.list` answers. */
export type FolderListAnswer = {
  dir: string
  files: Array<{
    path: string
    bytes: number
    modified_at: string
  }>
  truncated: boolean
  root_session_id: string
}

/** What `cairn.folder.read` takes. */
export type FolderReadInput = {
  /** The file, by its path in the folder. */
  path: string
  /** From this byte on; default 0. */
  offset?: number | undefined
  /** Maximum number of bytes; default all up to the maximum. */
  limit?: number | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.folder.read` answers. */
export type FolderReadAnswer = {
  path: string
  bytes: number
  offset: number
  more: boolean
  text?: string
  base64?: string
  root_session_id: string
}

export interface FolderOperations {
  /** List the files in the session folder of a root. */
  list(input: FolderListInput, signal?: AbortSignal): Promise<FolderListAnswer>
  /** Read a file in the session folder of a root: text as it is, other bytes in base64. */
  read(input: FolderReadInput, signal?: AbortSignal): Promise<FolderReadAnswer>
}

/** What `cairn.store.doctor` takes. */
export type StoreDoctorInput = {
  /** Rebuild views that differ from the log, and make files private that others can read. */
  repair?: boolean | undefined
}

/** What `cairn.store.doctor` answers. */
export type StoreDoctorAnswer = {
  ok: boolean
  checks: Array<{
    name: string
    ok: boolean
    detail: string
  }>
}

/** What `cairn.store.backup` takes. */
export type StoreBackupInput = {
  /** Path of the backup file. */
  file: string
}

/** What `cairn.store.backup` answers. */
export type StoreBackupAnswer = {
  bytes: number
  roots: number
  file: string
}

/** What `cairn.store.restore` takes. */
export type StoreRestoreInput = {
  /** Path of the backup file. */
  file: string
}

/** What `cairn.store.restore` answers. */
export type StoreRestoreAnswer = {
  roots: number
  events: number
  file: string
}

/** What `cairn.store.compact` takes. */
export type StoreCompactInput = {
  /** How old; default 30d. */
  older_than?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.store.compact` answers. */
export type StoreCompactAnswer = {
  events: number
  versions: number
  floor: number
  root_session_id: string
}

/** What `cairn.store.gc` takes. */
export type StoreGcInput = {
  /** How long messages must have been hidden to be removed; default 30d. */
  hidden_older_than?: string | undefined
}

/** What `cairn.store.gc` answers. */
export type StoreGcAnswer = {
  requests: number
  uploads: number
  hidden: number
  lapsed: number
}

/** What `cairn.store.erase` takes. */
export type StoreEraseInput = {
  /** Name of the key. */
  key: string
  /** The slug of the root, to confirm. */
  confirm?: string | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.store.erase` answers. */
export type StoreEraseAnswer = {
  beyond_reach: string[]
  events: number
  versions: number
  answers: number
  key: string
}

/** What `cairn.store.remove` takes. */
export type StoreRemoveInput = {
  /** The slug of the root, to confirm. */
  confirm?: string | undefined
  /** Remove it even if it has not ended. */
  force?: boolean | undefined
  /** The session: its id, slug or name, or the start or end of its id. */
  session?: string | undefined
  /** Another name of `session`. */
  session_id?: string | undefined
}

/** What `cairn.store.remove` answers. */
export type StoreRemoveAnswer = {
  beyond_reach: string[]
  events: number
  root_session_id: string
}

export interface StoreOperations {
  /** Check the store, its settings and the modes of its files; a repair fixes what can be fixed. */
  doctor(input: StoreDoctorInput, signal?: AbortSignal): Promise<StoreDoctorAnswer>
  /** Write a consistent copy of the store to a file while others keep writing. */
  backup(input: StoreBackupInput, signal?: AbortSignal): Promise<StoreBackupAnswer>
  /** Fill an empty store from a backup. */
  restore(input: StoreRestoreInput, signal?: AbortSignal): Promise<StoreRestoreAnswer>
  /** Remove the old history of a state; the current state and recent history stay. */
  compact(input: StoreCompactInput, signal?: AbortSignal): Promise<StoreCompactAnswer>
  /** Remove old request ids and messages rewound long ago, and free unused space. */
  gc(input: StoreGcInput, signal?: AbortSignal): Promise<StoreGcAnswer>
  /** Remove everything ever stored under a key; the log keeps only that it existed. */
  erase(input: StoreEraseInput, signal?: AbortSignal): Promise<StoreEraseAnswer>
  /** Remove a root and everything below it. */
  remove(input: StoreRemoveInput, signal?: AbortSignal): Promise<StoreRemoveAnswer>
}

/** Every operation as a method, grouped by noun; each takes one object. The signal ends what waits. */
export interface CairnOperations {
  readonly session: SessionOperations
  readonly project: ProjectOperations
  readonly state: StateOperations
  readonly context: ContextOperations
  readonly run: RunOperations
  readonly phase: PhaseOperations
  readonly plan: PlanOperations
  readonly task: TaskOperations
  readonly checkpoint: CheckpointOperations
  readonly manifest: ManifestOperations
  readonly git: GitOperations
  readonly commit: CommitOperations
  readonly artifact: ArtifactOperations
  readonly journal: JournalOperations
  readonly decision: DecisionOperations
  readonly blocker: BlockerOperations
  readonly need: NeedOperations
  readonly sitting: SittingOperations
  readonly schema: SchemaOperations
  readonly workflow: WorkflowOperations
  readonly lease: LeaseOperations
  readonly log: LogOperations
  readonly token: TokenOperations
  readonly blob: BlobOperations
  readonly folder: FolderOperations
  readonly store: StoreOperations
}
