-- Objects that were erased from all restore points, each at a revision of its own: the record for the audit. Nothing here names them but their key,
-- which who knows the object can work out again.
CREATE TABLE erasures (
  repository integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
  key text COLLATE "C" NOT NULL,
  revision integer NOT NULL,
  kind text NOT NULL,
  run text COLLATE "C" NOT NULL,
  erased_at timestamptz NOT NULL,
  erased_by text NOT NULL,
  reason text NOT NULL,
  items bigint NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (repository, key, revision)
);

-- Packs with chunks of erased objects, by name: the next prune writes them again without what is in use no more.
CREATE TABLE erased_packs (
  repository integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
  name bytea NOT NULL,
  PRIMARY KEY (repository, name)
);

-- The last revision at which it was erased: until it is backed up again there is nothing of it.
ALTER TABLE objects ADD erased_revision integer NOT NULL DEFAULT 0;
