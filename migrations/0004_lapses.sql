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
