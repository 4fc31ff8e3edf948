-- What agents work by and how they are run: plan, manifest, journal, workflows, session folders.

-- Session folders: the projects that have them, and where that of a root is on a host.
CREATE TABLE folder_projects (
  dir TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (dir)
);

-- The file of the mirror that is written there begins after the event `after`; `seen` is what its files looked like when it was onboarded.
CREATE TABLE session_folders (
  root INTEGER NOT NULL,
  host TEXT NOT NULL,
  dir TEXT NOT NULL,
  replica TEXT NOT NULL,
  after INTEGER NOT NULL,
  seen TEXT,
  PRIMARY KEY (root, host)
);
CREATE INDEX session_folders_host ON session_folders (host, dir);

-- Roots that were removed and whose folder may still be there: it is not taken in again by itself.
CREATE TABLE removed_roots (
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (id)
);

-- How many phases of its own, tasks and build checkpoints a root has had.
CREATE TABLE plan_totals (
  root INTEGER NOT NULL,
  phases INTEGER NOT NULL,
  tasks INTEGER NOT NULL,
  checkpoints INTEGER NOT NULL,
  PRIMARY KEY (root)
);

-- Phases that something has become of, or that were added.
CREATE TABLE phases (
  root INTEGER NOT NULL,
  phase INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  started_at INTEGER,
  ended_at INTEGER,
  reason TEXT,
  PRIMARY KEY (root, phase)
);

CREATE TABLE plans (
  root INTEGER NOT NULL,
  phase INTEGER NOT NULL,
  plan INTEGER NOT NULL,
  name TEXT NOT NULL,
  added_at INTEGER NOT NULL,
  PRIMARY KEY (root, phase, plan)
);

-- What is to be done, as it was described.
CREATE TABLE tasks (
  root INTEGER NOT NULL,
  task INTEGER NOT NULL,
  text TEXT NOT NULL,
  phase INTEGER NOT NULL,
  plan INTEGER NOT NULL,
  wave INTEGER NOT NULL,
  after TEXT,
  added_at INTEGER NOT NULL,
  added_by INTEGER NOT NULL,
  PRIMARY KEY (root, task)
);

-- Which tasks wait for one; 0 where one does no more.
CREATE TABLE task_followers (
  root INTEGER NOT NULL,
  before INTEGER NOT NULL,
  no INTEGER NOT NULL,
  task INTEGER NOT NULL,
  PRIMARY KEY (root, before, no)
);

-- How far a task is. The queue has those that nothing but their wave keeps from being begun.
CREATE TABLE task_progress (
  root INTEGER NOT NULL,
  task INTEGER NOT NULL,
  status TEXT NOT NULL,
  rank INTEGER NOT NULL,
  queue INTEGER,
  waits INTEGER NOT NULL,
  claimed_by INTEGER,
  held_by INTEGER,
  run TEXT,
  claimed_at INTEGER,
  progress_at INTEGER,
  note TEXT,
  done_at INTEGER,
  result TEXT,
  reason TEXT,
  blockers TEXT,
  PRIMARY KEY (root, task)
);
CREATE INDEX task_progress_queue ON task_progress (root, queue) WHERE queue IS NOT NULL;
CREATE INDEX task_progress_held ON task_progress (root, held_by) WHERE held_by IS NOT NULL;

-- The tasks of one wave of a plan, counted. The queue has the waves with tasks that are ready.
CREATE TABLE task_waves (
  root INTEGER NOT NULL,
  lane INTEGER NOT NULL,
  wave INTEGER NOT NULL,
  tasks INTEGER NOT NULL,
  claimed INTEGER NOT NULL,
  blocked INTEGER NOT NULL,
  done INTEGER NOT NULL,
  free INTEGER NOT NULL,
  active INTEGER NOT NULL,
  queue INTEGER,
  PRIMARY KEY (root, lane, wave)
);
CREATE INDEX task_waves_queue ON task_waves (root, queue) WHERE queue IS NOT NULL;

-- Units of work that a plan counts by.
CREATE TABLE build_checkpoints (
  root INTEGER NOT NULL,
  checkpoint INTEGER NOT NULL,
  text TEXT NOT NULL,
  started_at INTEGER,
  completed_at INTEGER,
  PRIMARY KEY (root, checkpoint)
);

-- What a root is tied to in git, and how much else its manifest names.
CREATE TABLE manifests (
  root INTEGER NOT NULL,
  branch TEXT,
  worktree TEXT,
  base_branch TEXT,
  commits INTEGER NOT NULL,
  artifacts INTEGER NOT NULL,
  PRIMARY KEY (root)
);

CREATE TABLE commits (
  root INTEGER NOT NULL,
  sha TEXT NOT NULL,
  no INTEGER NOT NULL,
  message TEXT NOT NULL,
  checkpoint INTEGER,
  recorded_at INTEGER NOT NULL,
  recorded_by INTEGER NOT NULL,
  PRIMARY KEY (root, sha)
);

-- Files that the work has made.
CREATE TABLE artifacts (
  root INTEGER NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  recorded_by INTEGER NOT NULL,
  PRIMARY KEY (root, name)
);

-- What is run below a root: the workflow, its agents, how far each of them is, and moments from which the work can go on.
CREATE TABLE workflows (
  root INTEGER NOT NULL,
  spec TEXT NOT NULL,
  PRIMARY KEY (root)
);
CREATE TABLE agents (
  root INTEGER NOT NULL,
  no INTEGER NOT NULL,
  id TEXT NOT NULL,
  role TEXT NOT NULL,
  phase INTEGER,
  spec TEXT NOT NULL,
  PRIMARY KEY (root, no)
);
CREATE TABLE agent_progress (
  root INTEGER NOT NULL,
  no INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  run TEXT,
  rung TEXT,
  run_seq INTEGER,
  run_at INTEGER,
  paused_ms INTEGER NOT NULL,
  paused_at INTEGER,
  ran_ms INTEGER NOT NULL,
  exited TEXT,
  result TEXT,
  result_seq INTEGER,
  parked TEXT,
  woken TEXT,
  told TEXT,
  wake_at INTEGER,
  asked INTEGER,
  held INTEGER NOT NULL,
  PRIMARY KEY (root, no)
);
-- The results that are shown are the newest ones.
CREATE INDEX agent_progress_results ON agent_progress (root, result_seq) WHERE result_seq IS NOT NULL;
CREATE TABLE agent_roles (
  root INTEGER NOT NULL,
  role TEXT NOT NULL,
  agents INTEGER NOT NULL,
  PRIMARY KEY (root, role)
);
CREATE TABLE checkpoints (
  root INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  why TEXT NOT NULL,
  phase INTEGER,
  agent INTEGER,
  state INTEGER NOT NULL,
  upto INTEGER NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (root, seq)
);

-- What is below a session is found from it, so that ending an agent looks at what it started and at no other.
CREATE INDEX sessions_below ON sessions (root, parent_no);

-- Sittings of workers: what is told of such runs besides.
CREATE TABLE sittings (
  root INTEGER NOT NULL,
  no INTEGER NOT NULL,
  run TEXT NOT NULL,
  sitting INTEGER NOT NULL,
  follows INTEGER,
  working_on TEXT,
  notes TEXT,
  completed TEXT,
  issues TEXT,
  handoff TEXT,
  context_usage TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  ended_seq INTEGER,
  how TEXT,
  open INTEGER,
  PRIMARY KEY (root, no, run)
);
CREATE UNIQUE INDEX sittings_numbers ON sittings (root, sitting);
CREATE INDEX sittings_of ON sittings (root, no, sitting);
CREATE INDEX sittings_open ON sittings (root, open) WHERE open IS NOT NULL;

-- Where the work of a root stands, and how much its journal holds.
CREATE TABLE journals (
  root INTEGER NOT NULL,
  phase INTEGER,
  plan INTEGER,
  task TEXT,
  wave INTEGER,
  status TEXT,
  moved_at INTEGER,
  moved_by INTEGER,
  decisions INTEGER NOT NULL,
  blockers INTEGER NOT NULL,
  needs INTEGER NOT NULL,
  questions INTEGER NOT NULL,
  implementations INTEGER NOT NULL,
  notes INTEGER NOT NULL,
  verifications INTEGER NOT NULL,
  sittings INTEGER NOT NULL,
  files INTEGER NOT NULL,
  superseded INTEGER NOT NULL,
  resolved INTEGER NOT NULL,
  active INTEGER NOT NULL,
  files_after INTEGER NOT NULL,
  implementations_after INTEGER NOT NULL,
  questions_after INTEGER NOT NULL,
  PRIMARY KEY (root)
);

CREATE TABLE next_actions (
  root INTEGER NOT NULL,
  text TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  no INTEGER NOT NULL,
  PRIMARY KEY (root)
);

CREATE TABLE decisions (
  root INTEGER NOT NULL,
  decision INTEGER NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  context TEXT NOT NULL,
  reason TEXT NOT NULL,
  alternatives TEXT,
  reversible INTEGER NOT NULL,
  supersedes INTEGER,
  superseded_by INTEGER,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  no INTEGER NOT NULL,
  PRIMARY KEY (root, decision)
);
CREATE INDEX decisions_holding ON decisions (root, decision) WHERE superseded_by IS NULL;

CREATE TABLE blockers (
  root INTEGER NOT NULL,
  blocker INTEGER NOT NULL,
  status TEXT NOT NULL,
  text TEXT NOT NULL,
  affects TEXT NOT NULL,
  tasks TEXT NOT NULL,
  workaround TEXT,
  workaround_tasks TEXT,
  resolution TEXT,
  changed_at INTEGER NOT NULL,
  changed_by INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  no INTEGER NOT NULL,
  PRIMARY KEY (root, blocker)
);
CREATE INDEX blockers_open ON blockers (root, blocker) WHERE status <> 'resolved';

-- What waits for a person. `open` says what an open one is about.
CREATE TABLE needs (
  root INTEGER NOT NULL,
  need INTEGER NOT NULL,
  kind TEXT NOT NULL,
  session INTEGER NOT NULL,
  text TEXT NOT NULL,
  about TEXT,
  open TEXT,
  actions TEXT,
  met_at INTEGER,
  met_by INTEGER,
  how TEXT,
  answer TEXT,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  no INTEGER NOT NULL,
  PRIMARY KEY (root, need)
);
CREATE INDEX needs_open ON needs (root, open);
CREATE INDEX needs_open_numbers ON needs (root, need) WHERE open IS NOT NULL;
CREATE INDEX needs_open_everywhere ON needs (at, root, need) WHERE open IS NOT NULL;

CREATE TABLE journal_questions (
  root INTEGER NOT NULL,
  question INTEGER NOT NULL,
  text TEXT NOT NULL,
  answer TEXT,
  answered_at INTEGER,
  answered_by INTEGER,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  no INTEGER NOT NULL,
  PRIMARY KEY (root, question)
);
CREATE INDEX journal_questions_open ON journal_questions (root, question) WHERE answered_at IS NULL;

CREATE TABLE journal_files (
  root INTEGER NOT NULL,
  file TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  no INTEGER NOT NULL,
  PRIMARY KEY (root, file)
);
CREATE INDEX journal_files_seq ON journal_files (root, seq);

CREATE TABLE implementations (
  root INTEGER NOT NULL,
  implementation INTEGER NOT NULL,
  text TEXT NOT NULL,
  file TEXT,
  contains TEXT,
  command TEXT,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  no INTEGER NOT NULL,
  PRIMARY KEY (root, implementation)
);

CREATE TABLE journal_notes (
  root INTEGER NOT NULL,
  note INTEGER NOT NULL,
  text TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  no INTEGER NOT NULL,
  PRIMARY KEY (root, note)
);

CREATE TABLE verifications (
  root INTEGER NOT NULL,
  verification INTEGER NOT NULL,
  text TEXT NOT NULL,
  passed INTEGER NOT NULL,
  details TEXT,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  no INTEGER NOT NULL,
  PRIMARY KEY (root, verification)
);
