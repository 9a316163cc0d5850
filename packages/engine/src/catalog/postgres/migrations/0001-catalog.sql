-- The catalog of the backup engine: what docs/decisions/0011-the-catalog.md decides. All of it can be rebuilt from repositories.

CREATE TABLE repositories (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The id that stands in the repository itself.
  name text NOT NULL UNIQUE,
  -- The latest instant of all expiries applied.
  expired_before timestamptz
);

-- Runs with at least one commit applied. A backup that ended with objects, and is not expired, is a restore point.
CREATE TABLE runs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  repository integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
  run text COLLATE "C" NOT NULL,
  last_sequence integer NOT NULL,
  is_open boolean NOT NULL,
  kind text NOT NULL,
  job text NOT NULL,
  job_name text NOT NULL,
  organization text NOT NULL,
  started_at timestamptz NOT NULL,
  closed_by text,
  -- Of the end.
  outcome text,
  finished_at timestamptz,
  counts text,
  findings text,
  is_expired boolean NOT NULL DEFAULT false,
  UNIQUE (repository, run)
);
CREATE INDEX runs_open ON runs (repository) WHERE is_open;
CREATE INDEX runs_restore_points ON runs (repository, finished_at DESC, id DESC)
  WHERE kind = 'backup' AND finished_at IS NOT NULL AND NOT is_expired;

CREATE TABLE objects (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  repository integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
  key text COLLATE "C" NOT NULL,
  organization text NOT NULL,
  kind text NOT NULL,
  object_id text NOT NULL,
  name text NOT NULL,
  owner text,
  address text,
  revision integer NOT NULL,
  -- The latest date by which any version of it sorts, without events and tasks; sort-keys.ts.
  newest bigint NOT NULL,
  UNIQUE (repository, key)
);

CREATE TABLE cursors (
  object integer NOT NULL REFERENCES objects ON DELETE CASCADE,
  scope text COLLATE "C" NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (object, scope)
);

CREATE TABLE lost_items (
  object integer NOT NULL REFERENCES objects ON DELETE CASCADE,
  item uuid NOT NULL,
  record text NOT NULL,
  PRIMARY KEY (object, item)
);

CREATE TABLE restore_point_objects (
  run integer NOT NULL REFERENCES runs ON DELETE CASCADE,
  object integer NOT NULL REFERENCES objects ON DELETE CASCADE,
  revision integer NOT NULL,
  -- The object's at that time: whoever browses this restore point, or an earlier one, by date need not pass all that came since.
  newest bigint NOT NULL,
  PRIMARY KEY (run, object)
);
CREATE INDEX restore_point_objects_revision ON restore_point_objects (object, revision);

-- Names under which somebody works; not from commits.
CREATE TABLE leases (
  repository integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  holder text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (repository, name)
);

-- Whatever was ever named as a parent: one small number instead of an id of 150 characters in every row and index below it. The top of
-- an object is the container whose item is the zero UUID.
CREATE TABLE containers (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  object integer NOT NULL REFERENCES objects ON DELETE CASCADE,
  item uuid NOT NULL,
  -- The id as JSON; null: the top.
  holder text,
  UNIQUE (object, item)
);

CREATE TYPE item_kind AS ENUM (
  'mail-folder', 'message', 'calendar', 'event', 'contact-folder', 'contact', 'task-list', 'task', 'folder', 'file', 'subsite',
  'list', 'list-column', 'content-type', 'list-item', 'page', 'channel', 'post', 'reply', 'tab', 'member', 'app', 'chat', 'chat-message', 'team'
);

-- One row an item version. Visible at a revision r: first <= r <= last. The newest version at r, whether the item is still there or
-- not: first <= r < next. Open ends are 2147483647. Columns from wide to narrow, so that no bytes are lost between them.
CREATE TABLE item_versions (
  item uuid NOT NULL,
  size bigint NOT NULL,
  -- Milliseconds since 1970 by which lists sort; sort-keys.ts.
  sort_date bigint NOT NULL,
  -- When it ended; null: still current.
  ended_at timestamptz,
  object integer NOT NULL,
  container integer NOT NULL,
  first integer NOT NULL,
  last integer NOT NULL,
  next integer NOT NULL,
  kind item_kind NOT NULL,
  sort_name text COLLATE "C" NOT NULL,
  -- Everything else as JSON; item-record.ts.
  record text NOT NULL,
  PRIMARY KEY (object, item, first)
) PARTITION BY HASH (object);

-- A page of a folder at any revision is one range of one of these a kind, decided without a look at the rows.
CREATE INDEX item_versions_name ON item_versions (container, kind, sort_name, item, first, last, next, object);
CREATE INDEX item_versions_date ON item_versions (container, kind, sort_date, item, first, last, next, object);
CREATE INDEX item_versions_size ON item_versions (container, kind, size, item, first, last, next, object);
CREATE INDEX item_versions_ended ON item_versions (object, ended_at) WHERE ended_at IS NOT NULL;

DO $$
BEGIN
  FOR part IN 0..7 LOOP
    EXECUTE format('CREATE TABLE item_versions_%s PARTITION OF item_versions FOR VALUES WITH (MODULUS 8, REMAINDER %s)', part, part);
    -- A version is written once and ended once.
    EXECUTE format('ALTER TABLE item_versions_%s SET (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02)', part);
  END LOOP;
END $$;

CREATE TABLE packs (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  repository integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
  -- SHA-256.
  name bytea NOT NULL,
  size bigint NOT NULL,
  -- Kept as a name, so that a commit applied later does not bring the pack back.
  is_retired boolean NOT NULL DEFAULT false,
  UNIQUE (repository, name)
);

-- A UUID is PostgreSQL's type of 16 bytes without a length before them.
CREATE TABLE chunks (
  chunk uuid NOT NULL,
  repository integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
  pack integer NOT NULL,
  pack_offset integer NOT NULL,
  stored_bytes integer NOT NULL,
  plain_bytes integer NOT NULL,
  is_compressed boolean NOT NULL,
  PRIMARY KEY (repository, chunk, pack)
);
CREATE INDEX chunks_pack ON chunks (pack);

-- Versions whose words are still to be indexed.
CREATE TABLE unindexed (
  id bigint GENERATED ALWAYS AS IDENTITY,
  repository integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
  object integer NOT NULL,
  item uuid NOT NULL,
  first integer NOT NULL,
  PRIMARY KEY (object, item, first)
);
CREATE INDEX unindexed_oldest ON unindexed (repository, id);

-- What search needs of a version, and of those after it with the same words, apart from them: `last` and `next` follow the last of them
-- and stand in no index, so that ending a version does not touch its words. Rows are narrow and words lie beside them: a frequent word reads rows, not words.
CREATE TABLE search_entries (
  item uuid NOT NULL,
  size bigint NOT NULL,
  sort_date bigint NOT NULL,
  repository integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
  object integer NOT NULL,
  first integer NOT NULL,
  last integer NOT NULL,
  next integer NOT NULL,
  kind item_kind NOT NULL,
  has_attachments boolean NOT NULL,
  -- Each word with its repository and period before it, search-periods.ts: a repository has its own words in the index, whatever others
  -- hold.
  words tsvector NOT NULL,
  PRIMARY KEY (object, item, first)
) WITH (fillfactor = 90, toast_tuple_target = 128, autovacuum_analyze_scale_factor = 0.02);
-- Not compressed: that takes longer than writing and reading them as they are.
ALTER TABLE search_entries ALTER COLUMN words SET STORAGE EXTERNAL;
-- What was written last lies in a list that each search reads: longer, words are cheaper to write; shorter, to find.
CREATE INDEX search_entries_words ON search_entries USING gin (words) WITH (gin_pending_list_limit = 16384);
CREATE INDEX search_entries_date ON search_entries (repository, sort_date, item, object, first);
CREATE INDEX search_entries_object_date ON search_entries (object, sort_date, item, first);
