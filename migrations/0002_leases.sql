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

-- Bodies of a stream's events up to and including this sequence may have been removed.
ALTER TABLE streams ADD COLUMN floor INTEGER NOT NULL DEFAULT 0;
