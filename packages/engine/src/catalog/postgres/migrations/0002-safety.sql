-- Who works on an object stands in the repository: a catalog is not the only one.
DROP TABLE leases;

-- Revisions that two runs brought, each without knowing of the other: that of the second is kept as a later one, and the end of its run
-- means that.
CREATE TABLE doubled_revisions (
  run integer NOT NULL REFERENCES runs ON DELETE CASCADE,
  object integer NOT NULL REFERENCES objects ON DELETE CASCADE,
  revision integer NOT NULL,
  kept_as integer NOT NULL,
  PRIMARY KEY (run, object, revision)
);

-- Chunks that cannot be read in a pack, as the last verify of that pack found. By the pack's name: a rebuild may hear of it before.
CREATE TABLE damaged_chunks (
  repository integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
  chunk uuid NOT NULL,
  pack bytea NOT NULL,
  PRIMARY KEY (repository, chunk, pack)
);
CREATE INDEX damaged_chunks_pack ON damaged_chunks (repository, pack);

-- The last commit that a later run names as one it knew: what was never named is what the next run names.
ALTER TABLE runs ADD followed integer NOT NULL DEFAULT 0;
