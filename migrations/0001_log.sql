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
