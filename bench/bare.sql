-- The straightforward layout that the store is measured against: text ids, a row for each thing, an index by key.
-- The truth: what happened below each root, in order. A fork shares its ancestor's events and has rows only for its own.
CREATE TABLE events (
  root TEXT NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
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
  hash TEXT NOT NULL,
  digest TEXT,
  PRIMARY KEY (root, seq)
);
CREATE UNIQUE INDEX events_stream ON events (root, stream, version);

-- The head of each root's log; whoever writes below a root holds its row.
CREATE TABLE roots (
  root TEXT NOT NULL PRIMARY KEY,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  sessions INTEGER NOT NULL,
  keys INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  origin TEXT,
  origin_seq INTEGER
);

-- Views of the log, kept in the same transaction as the events.
CREATE TABLE streams (
  root TEXT NOT NULL,
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (root, stream)
);

CREATE TABLE sessions (
  root TEXT NOT NULL,
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
  project TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  ended_at INTEGER,
  PRIMARY KEY (root, no)
);
CREATE INDEX sessions_slug ON sessions (slug);
CREATE INDEX sessions_roots ON sessions (id) WHERE no = 0;
CREATE INDEX sessions_project ON sessions (project, id) WHERE no = 0;

CREATE TABLE session_names (
  root TEXT NOT NULL,
  folded TEXT NOT NULL,
  no INTEGER NOT NULL,
  PRIMARY KEY (root, folded)
);
CREATE INDEX session_names_folded ON session_names (folded);

CREATE TABLE state_keys (
  root TEXT NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('object', 'array', 'string', 'number', 'boolean', 'null', 'gone')),
  partial INTEGER NOT NULL,
  deltas INTEGER NOT NULL,
  items INTEGER,
  bytes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by INTEGER NOT NULL,
  value TEXT,
  PRIMARY KEY (root, key)
);

CREATE TABLE state_versions (
  root TEXT NOT NULL,
  key TEXT NOT NULL,
  seq INTEGER NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('whole', 'append', 'merge', 'gone')),
  prior INTEGER NOT NULL,
  at INTEGER NOT NULL,
  session_no INTEGER NOT NULL,
  body TEXT,
  PRIMARY KEY (root, key, seq)
);

-- Plain rows: no views of the log.
CREATE TABLE requests (
  caller TEXT NOT NULL,
  id TEXT NOT NULL,
  root TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  answer TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (caller, id)
);
CREATE INDEX requests_at ON requests (at);
CREATE INDEX requests_root ON requests (root);

CREATE TABLE projects (
  dir TEXT NOT NULL PRIMARY KEY,
  session TEXT,
  updated_at INTEGER NOT NULL
);
-- Leases are plain rows: heartbeats are no events. `token` only ever grows; times are the store's own clock within `boot`.
CREATE TABLE leases (
  root TEXT NOT NULL,
  name TEXT NOT NULL,
  token INTEGER NOT NULL,
  session_no INTEGER NOT NULL,
  holder TEXT,
  ttl INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  boot TEXT NOT NULL,
  PRIMARY KEY (root, name)
);

-- Up to `floor` the past of a stream was compacted: reads before it are refused. Up to `base` bodies may have been removed:
-- a replay starts from the rows as they were there.
ALTER TABLE streams ADD COLUMN floor INTEGER NOT NULL DEFAULT 0;
ALTER TABLE streams ADD COLUMN base INTEGER NOT NULL DEFAULT 0;
-- What a key has besides its value, as JSON: how it merges, whose it is, when it lapses. NULL for most keys.
ALTER TABLE state_keys ADD COLUMN traits TEXT;
ALTER TABLE state_versions ADD COLUMN traits TEXT;
-- Keys that go by themselves: when their session ends (owner), or at a time. Both are NULL once a key is not of that kind any more.
CREATE TABLE state_lapses (
  root TEXT NOT NULL,
  key TEXT NOT NULL,
  owner INTEGER,
  expires_at INTEGER,
  PRIMARY KEY (root, key)
);
CREATE INDEX state_lapses_by_owner ON state_lapses (root, owner) WHERE owner IS NOT NULL;
CREATE INDEX state_lapses_by_time ON state_lapses (root, expires_at) WHERE expires_at IS NOT NULL;
-- What the values of a key, or of all keys with a prefix, must look like. `schema` is NULL once it was deleted.
CREATE TABLE state_schemas (
  root TEXT NOT NULL,
  target TEXT NOT NULL,
  prefix INTEGER NOT NULL,
  schema TEXT,
  seq INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  updated_by INTEGER NOT NULL,
  PRIMARY KEY (root, target, prefix)
);
-- Tokens of agents and readers. `hash` is that of the secret, which is kept nowhere.
CREATE TABLE tokens (
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  root TEXT,
  session_no INTEGER,
  name TEXT,
  hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (id)
);

CREATE INDEX tokens_by_root ON tokens (root);
