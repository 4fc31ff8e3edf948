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
