-- Of which jobs a sample was restored to memory, and what was found.
CREATE TABLE m365_proofs (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  job_id uuid NOT NULL,
  -- Who asked for it; null: its schedule.
  username text,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  result text NOT NULL CHECK (result IN ('Running', 'Success', 'Warning', 'Failed')),
  message text,
  -- Workers that have begun it; those that gave it back do not count.
  claims integer NOT NULL DEFAULT 0,
  -- When the restore point ended of which items were restored; null where none were.
  restore_point_at timestamptz,
  -- What was restored whole.
  items integer NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  -- Each item of the sample, with what became of it.
  sample jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, job_id) REFERENCES m365_jobs ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX m365_proofs_job ON m365_proofs (provider_id, job_id, started_at DESC);
--> statement-breakpoint
-- A job is proved once at a time.
CREATE UNIQUE INDEX m365_proofs_running ON m365_proofs (provider_id, job_id) WHERE ended_at IS NULL;
