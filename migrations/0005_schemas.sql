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
