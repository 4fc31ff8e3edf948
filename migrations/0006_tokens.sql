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
