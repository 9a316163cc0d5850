-- When repositories are verified, and pruned of what their retention no longer asks for.
CREATE TABLE m365_maintenance_plans (
  provider_id integer NOT NULL,
  repository_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('verify', 'prune')),
  is_enabled boolean NOT NULL,
  daily_type text NOT NULL,
  daily_time text NOT NULL,
  time_zone text NOT NULL,
  -- Of a verify: whether every byte is read.
  depth text NOT NULL CHECK (depth IN ('quick', 'full')),
  next_run_at timestamptz,
  PRIMARY KEY (provider_id, repository_id, kind),
  FOREIGN KEY (provider_id, repository_id) REFERENCES m365_repositories ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX m365_maintenance_plans_due ON m365_maintenance_plans (next_run_at) WHERE is_enabled;
--> statement-breakpoint
CREATE TABLE m365_maintenance_runs (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  repository_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('verify', 'prune')),
  depth text NOT NULL CHECK (depth IN ('quick', 'full')),
  is_dry_run boolean NOT NULL,
  -- Who asked for it; null: its plan.
  username text,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  result text NOT NULL CHECK (result IN ('Running', 'Success', 'Warning', 'Failed')),
  message text,
  -- Workers that have begun it; those that gave it back do not count.
  claims integer NOT NULL DEFAULT 0,
  -- What was found or done, line by line.
  findings jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, repository_id) REFERENCES m365_repositories ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX m365_maintenance_runs_repository ON m365_maintenance_runs (provider_id, repository_id, started_at DESC);
--> statement-breakpoint
-- A repository is verified or pruned once at a time.
CREATE UNIQUE INDEX m365_maintenance_runs_running ON m365_maintenance_runs (provider_id, repository_id) WHERE ended_at IS NULL;
--> statement-breakpoint
-- Repositories that exist are verified and pruned weekly from now on, as new ones are. The first prune comes a day from now at the earliest, so that it can be switched off.
INSERT INTO m365_maintenance_plans (provider_id, repository_id, kind, is_enabled, daily_type, daily_time, time_zone, depth, next_run_at)
SELECT r.provider_id, r.id, k.kind, true, k.day, '05:00', 'UTC', 'quick',
  (date_trunc('week', now() AT TIME ZONE 'UTC' + interval '1 day' - k.into_week) + interval '7 days' + k.into_week) AT TIME ZONE 'UTC'
FROM m365_repositories r
CROSS JOIN (VALUES ('prune', 'Saturday', interval '5 days 5 hours'), ('verify', 'Sunday', interval '6 days 5 hours')) AS k (kind, day, into_week);
--> statement-breakpoint
-- What the last days added, by day; null where it is too new to say.
ALTER TABLE m365_repositories ADD COLUMN growth_bytes bigint;
