-- What a key has besides its value, as JSON: how it merges, whose it is, when it lapses. NULL for most keys.
ALTER TABLE state_keys ADD COLUMN traits TEXT;
ALTER TABLE state_versions ADD COLUMN traits TEXT;
