-- Objects of the store that have the commits of many ended runs. Not from commits: what a catalog knows of them it does not have to read again.
CREATE TABLE segments (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  repository integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  UNIQUE (repository, name)
);

-- Null: its commits are objects of their own, with which the catalog is compared.
ALTER TABLE runs ADD segment integer;
CREATE INDEX runs_segment ON runs (segment) WHERE segment IS NOT NULL;
CREATE INDEX runs_loose ON runs (repository, run) WHERE segment IS NULL;
