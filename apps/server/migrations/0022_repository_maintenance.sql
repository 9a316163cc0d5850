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
-- Repositories that exist are looked after from now on, as new ones are.
INSERT INTO m365_maintenance_plans (provider_id, repository_id, kind, is_enabled, daily_type, daily_time, time_zone, depth, next_run_at)
SELECT r.provider_id, r.id, k.kind, true, k.day, '05:00', 'UTC', 'quick', now() + interval '1 day'
FROM m365_repositories r CROSS JOIN (VALUES ('verify', 'Sunday'), ('prune', 'Saturday')) AS k (kind, day);
--> statement-breakpoint
-- What the last days added, by day; null where it is too new to say.
ALTER TABLE m365_repositories ADD COLUMN growth_bytes bigint;
