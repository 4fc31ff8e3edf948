-- The truth: what happened below each root, in order. A root is a number of this store; hashes and ids are bytes.
CREATE TABLE events (
  root INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id BLOB NOT NULL,
  session_no INTEGER NOT NULL,
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  key TEXT,
  type TEXT NOT NULL,
  data TEXT,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  request TEXT,
  cause TEXT,
  hash BLOB NOT NULL,
  digest BLOB,
  PRIMARY KEY (root, seq)
);
CREATE UNIQUE INDEX events_stream ON events (root, stream, version);

-- The head of each root's log; whoever writes below a root holds its row. The number of a fork is negative.
-- A root that was removed stays hidden, under another number, while a fork of it is there. `bytes` is what its own rows take up.
CREATE TABLE roots (
  root INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  seq INTEGER NOT NULL,
  hash BLOB NOT NULL,
  generation INTEGER NOT NULL,
  hidden INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (root)
);

-- Whose rows a fork shares: those of `source` after `after` and up to `upto`. The last of them are its own; there `origin` is the root
-- that it was forked from.
CREATE TABLE segments (
  root INTEGER NOT NULL,
  source INTEGER NOT NULL,
  after INTEGER NOT NULL,
  upto INTEGER NOT NULL,
  origin INTEGER,
  PRIMARY KEY (root, after)
);
CREATE INDEX segments_source ON segments (source);
CREATE INDEX segments_origin ON segments (origin) WHERE origin IS NOT NULL;

-- Views of the log, kept in the same transaction as the events. Up to `floor` the past of a stream was compacted: reads before it
-- are refused. Up to `base` bodies may have been removed: a replay starts from the rows as they were there.
CREATE TABLE streams (
  root INTEGER NOT NULL,
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  floor INTEGER NOT NULL,
  base INTEGER NOT NULL,
  items INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (root, stream)
);

-- Rows of small views as each event left them.
CREATE TABLE row_versions (
  root INTEGER NOT NULL,
  tbl TEXT NOT NULL,
  place TEXT NOT NULL,
  seq INTEGER NOT NULL,
  row TEXT NOT NULL,
  PRIMARY KEY (root, tbl, place, seq)
);
CREATE INDEX row_versions_seq ON row_versions (root, seq);

CREATE TABLE sessions (
  root INTEGER NOT NULL,
  no INTEGER NOT NULL,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  parent_no INTEGER,
  depth INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('created', 'running', 'paused', 'resumable', 'completed', 'failed', 'cancelled', 'skipped')),
  reason TEXT,
  type TEXT NOT NULL,
  topic TEXT NOT NULL,
  objective TEXT,
  description TEXT,
  strategy TEXT,
  metadata TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  ended_at INTEGER,
  PRIMARY KEY (root, no)
);
CREATE INDEX sessions_slug ON sessions (slug);
-- By the end of an id, which is what people are shown.
CREATE INDEX sessions_ending ON sessions (substr(id, length(id) - 3));
CREATE INDEX sessions_shown ON sessions (substr(id, length(id) - 7, 4));
CREATE INDEX sessions_roots ON sessions (id) WHERE no = 0;

CREATE TABLE session_names (
  root INTEGER NOT NULL,
  folded TEXT NOT NULL,
  no INTEGER NOT NULL,
  PRIMARY KEY (root, folded)
);
CREATE INDEX session_names_folded ON session_names (folded);

-- Plain rows: the process that a session ends with. `host` is NULL once it has ended.
CREATE TABLE session_processes (
  root INTEGER NOT NULL,
  no INTEGER NOT NULL,
  host TEXT,
  boot TEXT NOT NULL,
  space TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  PRIMARY KEY (root, no)
);
CREATE INDEX session_processes_host ON session_processes (host) WHERE host IS NOT NULL;

-- Checks of rows that are written often are spelt out: for IN (…) SQLite makes a table of its own each time a statement runs.
-- `traits` is what a key has besides its value, as JSON: how it merges, whose it is, when it lapses. NULL for most keys.
CREATE TABLE state_keys (
  root INTEGER NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type = 'object' OR type = 'array' OR type = 'string' OR type = 'number' OR type = 'boolean' OR type = 'null' OR type = 'gone'),
  partial INTEGER NOT NULL,
  deltas INTEGER NOT NULL,
  items INTEGER,
  bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by INTEGER NOT NULL,
  value TEXT,
  traits TEXT,
  PRIMARY KEY (root, key)
);

-- In the order of the log, so that a commit writes few pages however many keys it touches.
CREATE TABLE state_versions (
  root INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind = 'whole' OR kind = 'append' OR kind = 'merge' OR kind = 'gone'),
  prior INTEGER NOT NULL,
  at INTEGER NOT NULL,
  age INTEGER NOT NULL,
  session_no INTEGER NOT NULL,
  body TEXT,
  traits TEXT,
  PRIMARY KEY (root, seq, key)
);

-- Where the versions of a key are; filled behind the writes, in sorted batches, up to what `indexing` says.
CREATE TABLE state_places (
  root INTEGER NOT NULL,
  key TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (root, key, seq)
);

CREATE TABLE indexing (
  root INTEGER NOT NULL,
  name TEXT NOT NULL,
  upto INTEGER NOT NULL,
  PRIMARY KEY (root, name)
);

-- Keys that go by themselves: when their session ends (owner), or at a time. Both are NULL once a key is not of that kind any more.
CREATE TABLE state_lapses (
  root INTEGER NOT NULL,
  key TEXT NOT NULL,
  owner INTEGER,
  expires_at INTEGER,
  PRIMARY KEY (root, key)
);
CREATE INDEX state_lapses_by_owner ON state_lapses (root, owner) WHERE owner IS NOT NULL;
CREATE INDEX state_lapses_by_time ON state_lapses (root, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX state_lapses_next ON state_lapses (expires_at) WHERE expires_at IS NOT NULL;

-- What the values of a key, or of all keys with a prefix, must look like. `schema` is NULL once it was deleted.
CREATE TABLE state_schemas (
  root INTEGER NOT NULL,
  target TEXT NOT NULL,
  prefix INTEGER NOT NULL,
  schema TEXT,
  seq INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by INTEGER NOT NULL,
  PRIMARY KEY (root, target, prefix)
);

-- Plain rows: no views of the log.
CREATE TABLE requests (
  caller TEXT NOT NULL,
  id TEXT NOT NULL,
  root INTEGER NOT NULL,
  fingerprint BLOB NOT NULL,
  answer TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (caller, id)
);

CREATE TABLE projects (
  dir TEXT NOT NULL,
  session TEXT,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (dir)
);

CREATE TABLE root_projects (
  root INTEGER NOT NULL,
  dir TEXT NOT NULL,
  PRIMARY KEY (root)
);
CREATE INDEX root_projects_dir ON root_projects (dir);

-- Heartbeats are no events. `epoch` only ever grows, `hash` is that of the token's secret; times are the store's own clock within `boot`.
CREATE TABLE leases (
  root INTEGER NOT NULL,
  name TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  hash BLOB NOT NULL,
  session_no INTEGER NOT NULL,
  holder TEXT,
  ttl INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  boot TEXT NOT NULL,
  PRIMARY KEY (root, name)
);

-- Tokens of agents and readers. `hash` is that of the secret, which is kept nowhere. `run` is the life of the agent that it was made
-- for, `lease` what all that it writes is held to.
CREATE TABLE tokens (
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  root INTEGER,
  session_no INTEGER,
  name TEXT,
  hash BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  run TEXT,
  lease TEXT,
  lease_epoch INTEGER,
  lease_hash BLOB,
  expires_at INTEGER,
  PRIMARY KEY (id)
);
CREATE INDEX tokens_by_root ON tokens (root);
CREATE UNIQUE INDEX tokens_by_name ON tokens (name);

-- Bytes that a root may read, by their SHA-256. A fork has rows of its own for what its origin had; the bytes are kept once.
CREATE TABLE blobs (
  root INTEGER NOT NULL,
  hash TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (root, hash)
);
CREATE INDEX blobs_content ON blobs (content);

-- The bytes themselves, in pieces. Content that no blob names is that of an upload which has not come to its end.
CREATE TABLE blob_chunks (
  content TEXT NOT NULL,
  no INTEGER NOT NULL,
  chunk BLOB NOT NULL,
  PRIMARY KEY (content, no)
);

-- Numbers that are drawn in this store, each once.
CREATE TABLE counters (
  name TEXT NOT NULL,
  value INTEGER NOT NULL,
  PRIMARY KEY (name)
);

-- What is visible of conversations of which something was hidden, replaced or brought in; all after `after` is visible too.
CREATE TABLE conversations (
  root INTEGER NOT NULL,
  no INTEGER NOT NULL,
  visible TEXT NOT NULL,
  after INTEGER NOT NULL,
  PRIMARY KEY (root, no)
);

-- Which event of a conversation has an id that a provider gave: m/ a message, c/ a call of a tool, r/ its result.
CREATE TABLE context_ids (
  root INTEGER NOT NULL,
  no INTEGER NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  version INTEGER NOT NULL,
  takes INTEGER NOT NULL,
  digest BLOB NOT NULL,
  PRIMARY KEY (root, no, id)
);
CREATE INDEX context_ids_seq ON context_ids (root, seq);

-- One life of an agent's process, or one sitting of a worker.
CREATE TABLE runs (
  root INTEGER NOT NULL,
  no INTEGER NOT NULL,
  run TEXT NOT NULL,
  mode TEXT NOT NULL,
  adapter TEXT,
  model TEXT,
  prompt TEXT,
  tools TEXT,
  provider_session TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  how TEXT,
  reason TEXT,
  usage TEXT,
  PRIMARY KEY (root, no, run)
);
