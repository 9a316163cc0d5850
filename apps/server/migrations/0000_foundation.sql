-- Providers, their people, and the record of what people did.
-- Every tenant table leads its keys with provider_id, so that it can be spread by that column.

CREATE TABLE providers (
  id integer PRIMARY KEY,
  name text NOT NULL,
  domain text NOT NULL UNIQUE,
  layout text NOT NULL DEFAULT 'keepwatch',
  branding jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);
--> statement-breakpoint
CREATE TABLE sub_providers (
  provider_id integer NOT NULL REFERENCES providers,
  id uuid NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (provider_id, id)
);
--> statement-breakpoint
CREATE TABLE companies (
  provider_id integer NOT NULL REFERENCES providers,
  id uuid NOT NULL,
  name text NOT NULL,
  email text,
  phone text,
  is_active boolean NOT NULL DEFAULT true,
  is_managed boolean NOT NULL DEFAULT true,
  sub_provider_id uuid,
  vac_id text,
  vcd_id text,
  zerto_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, sub_provider_id) REFERENCES sub_providers
);
--> statement-breakpoint
CREATE UNIQUE INDEX companies_vac ON companies (provider_id, vac_id) WHERE vac_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX companies_name ON companies (provider_id, lower(name));
--> statement-breakpoint
CREATE TABLE users (
  provider_id integer NOT NULL REFERENCES providers,
  id uuid NOT NULL,
  username text NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  roles text[] NOT NULL,
  sub_provider_id uuid,
  theme jsonb NOT NULL DEFAULT '{}',
  filters jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  disabled_at timestamptz,
  deleted_at timestamptz,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, sub_provider_id) REFERENCES sub_providers
);
--> statement-breakpoint
CREATE UNIQUE INDEX users_username ON users (provider_id, lower(username)) WHERE deleted_at IS NULL;
--> statement-breakpoint
-- Companies a user is limited to; none: all of the provider's.
CREATE TABLE user_companies (
  provider_id integer NOT NULL,
  user_id uuid NOT NULL,
  company_id uuid NOT NULL,
  PRIMARY KEY (provider_id, user_id, company_id),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (provider_id, company_id) REFERENCES companies ON DELETE CASCADE
);
--> statement-breakpoint
CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  provider_id integer NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  address text,
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX sessions_user ON sessions (provider_id, user_id);
--> statement-breakpoint
-- Wrong passwords in a row, by name (also of names that do not exist: nobody can tell).
CREATE TABLE sign_in_tries (
  provider_id integer NOT NULL,
  username text NOT NULL,
  count integer NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, username)
);
--> statement-breakpoint
-- Replies to requests that may be sent again (header Idempotency-Key), sealed; null while the work is being done.
CREATE TABLE idempotency_keys (
  provider_id integer NOT NULL,
  user_id uuid NOT NULL,
  key_hash bytea NOT NULL,
  asked_hash bytea NOT NULL,
  reply bytea,
  at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, user_id, key_hash)
);
--> statement-breakpoint
CREATE INDEX idempotency_keys_at ON idempotency_keys (at);
--> statement-breakpoint
-- The one-time link that creates the first account of a new installation.
CREATE TABLE setup_links (token_hash bytea PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now());
--> statement-breakpoint
CREATE TABLE audit_entries (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  user_id uuid,
  as_user_id uuid,
  username text,
  action text NOT NULL,
  target_kind text,
  target_id text,
  before jsonb,
  after jsonb,
  address text,
  request_id text,
  PRIMARY KEY (provider_id, at, id)
);
--> statement-breakpoint
CREATE TABLE notifications (
  provider_id integer NOT NULL REFERENCES providers,
  id uuid NOT NULL,
  app text NOT NULL,
  user_id uuid,
  event text NOT NULL,
  message text NOT NULL,
  severity text NOT NULL,
  hide_ack boolean NOT NULL DEFAULT false,
  hide_close boolean NOT NULL DEFAULT false,
  link text,
  copy text,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  PRIMARY KEY (provider_id, id)
);
--> statement-breakpoint
-- One open notification an event and user: what happens again is not announced twice.
CREATE UNIQUE INDEX notifications_open ON notifications (provider_id, event, coalesce(user_id, '00000000-0000-0000-0000-000000000000')) WHERE ended_at IS NULL;
--> statement-breakpoint
CREATE TABLE notification_acknowledgements (
  provider_id integer NOT NULL,
  notification_id uuid NOT NULL,
  user_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, notification_id, user_id),
  FOREIGN KEY (provider_id, notification_id) REFERENCES notifications ON DELETE CASCADE
);
--> statement-breakpoint

-- Monitoring: where executions come from.

CREATE TYPE data_source_group AS ENUM ('managed-servers', 'monitored-agents', 'managed-agents', 'office365', 'public-cloud-vms', 'file-share-jobs');
--> statement-breakpoint
CREATE TYPE execution_result AS ENUM ('Success', 'Running', 'Warning', 'DidntRun', 'Failed');
--> statement-breakpoint
CREATE TYPE execution_state AS ENUM ('pending', 'in-progress', 'resolved', 'ignored');
--> statement-breakpoint
CREATE TABLE sources (
  provider_id integer NOT NULL REFERENCES providers,
  id uuid NOT NULL,
  -- Kind of connector, or 'intake' for what tools report by themselves (one row a provider, made when first needed).
  kind text NOT NULL,
  name text NOT NULL,
  is_enabled boolean NOT NULL DEFAULT true,
  sync_interval_minutes integer NOT NULL DEFAULT 5,
  settings jsonb NOT NULL DEFAULT '{}',
  secrets bytea,
  -- History is complete up to here: where the next sync goes on.
  history_read_to timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  PRIMARY KEY (provider_id, id)
);
--> statement-breakpoint
CREATE TABLE sync_runs (
  provider_id integer NOT NULL,
  source_id uuid NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  status text NOT NULL,
  -- [{ entity, externalId, reason }], the first 200
  failed jsonb NOT NULL DEFAULT '[]',
  failed_count integer NOT NULL DEFAULT 0,
  counts jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (provider_id, source_id, started_at)
);
--> statement-breakpoint
CREATE TABLE intake_tokens (
  token_hash bytea PRIMARY KEY,
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  FOREIGN KEY (provider_id, company_id) REFERENCES companies ON DELETE CASCADE
);
--> statement-breakpoint
CREATE UNIQUE INDEX intake_tokens_id ON intake_tokens (provider_id, id);
--> statement-breakpoint

-- Monitoring: jobs. The columns below the line are the memory that the next execution is judged by; they change with every
-- run and stand in no index, so that an update stays within its page.
CREATE TABLE jobs (
  provider_id integer NOT NULL REFERENCES providers,
  job_instance_uid uuid NOT NULL,
  source_id uuid NOT NULL,
  external_id text NOT NULL,
  source_group data_source_group NOT NULL,
  name text NOT NULL,
  company_id uuid,
  job_type text,
  is_enabled boolean NOT NULL DEFAULT true,
  schedule_type text,
  -- From the schedule; null: the median interval of the job's own history is used.
  interval_ms bigint,
  next_run_at timestamptz,
  server_name text,
  target_name text,
  backup_size_bytes bigint,
  restore_point_count integer,
  first_seen_at timestamptz NOT NULL DEFAULT now(),
  -- No longer in the source.
  removed_at timestamptz,
  -- memory ------------------------------------------------------------------
  last_execution_id uuid,
  last_started_at timestamptz,
  last_ended_at timestamptz,
  last_result execution_result,
  last_success_at timestamptz,
  -- When the next run should have begun at the latest; after it the job counts as "didn't run".
  overdue_at timestamptz,
  -- The last 30 successful runs (see executions/baseline.ts for the layout).
  baseline bytea,
  PRIMARY KEY (provider_id, job_instance_uid)
) WITH (fillfactor = 60);
--> statement-breakpoint
CREATE UNIQUE INDEX jobs_external ON jobs (provider_id, source_id, external_id);
--> statement-breakpoint
CREATE INDEX jobs_company ON jobs (provider_id, company_id);
--> statement-breakpoint
CREATE TABLE job_ignores (
  provider_id integer NOT NULL,
  job_instance_uid uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('didnt-run', 'disabled')),
  -- null: for good
  ignored_until timestamptz,
  user_id uuid,
  at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider_id, job_instance_uid, kind),
  FOREIGN KEY (provider_id, job_instance_uid) REFERENCES jobs ON DELETE CASCADE
);
--> statement-breakpoint

-- Monitoring: executions, a partition a month. An id carries its started_at (see executions/execution-id.ts), so that one row
-- is found by its id alone, in one partition. No foreign keys: executions arrive by the ten thousand.
CREATE TABLE job_executions (
  provider_id integer NOT NULL,
  started_at timestamptz NOT NULL,
  id uuid NOT NULL,
  job_instance_uid uuid NOT NULL,
  company_id uuid,
  ended_at timestamptz,
  duration_ms bigint,
  transferred_bytes bigint,
  processed_bytes bigint,
  processed_files bigint,
  size_bytes bigint,
  source_group data_source_group NOT NULL,
  result execution_result NOT NULL,
  state execution_state NOT NULL,
  attempts smallint NOT NULL DEFAULT 1,
  is_doubtful boolean NOT NULL DEFAULT false,
  anomalies text[] NOT NULL DEFAULT '{}',
  message text,
  -- What a person made of it; null until somebody does.
  ignored_until timestamptz,
  note jsonb,
  changed_by uuid,
  PRIMARY KEY (provider_id, started_at, id)
) PARTITION BY RANGE (started_at);
--> statement-breakpoint
CREATE INDEX job_executions_company ON job_executions (provider_id, company_id, started_at);
--> statement-breakpoint
CREATE INDEX job_executions_job ON job_executions (provider_id, job_instance_uid, started_at);
--> statement-breakpoint
CREATE INDEX job_executions_open ON job_executions (provider_id, started_at) WHERE state IN ('pending', 'in-progress');
--> statement-breakpoint
CREATE INDEX job_executions_ignored ON job_executions (ignored_until) WHERE state = 'ignored' AND ignored_until IS NOT NULL;
--> statement-breakpoint
CREATE TABLE job_execution_logs (
  provider_id integer NOT NULL,
  started_at timestamptz NOT NULL,
  execution_id uuid NOT NULL,
  -- [{ at, level, text }], and the sessions that collapsed into this run: [{ startedAt, endedAt, result, message }]
  lines jsonb NOT NULL DEFAULT '[]',
  attempts jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (provider_id, started_at, execution_id)
) PARTITION BY RANGE (started_at);
--> statement-breakpoint
-- Before 2020 and beyond the months that are kept ready: rows are never refused for their date.
CREATE TABLE job_executions_other PARTITION OF job_executions DEFAULT;
--> statement-breakpoint
CREATE TABLE job_execution_logs_other PARTITION OF job_execution_logs DEFAULT;
--> statement-breakpoint

-- Day rollups, kept by the intake in the same transaction as the executions. Days are UTC.
CREATE TABLE job_days (
  provider_id integer NOT NULL,
  day date NOT NULL,
  job_instance_uid uuid NOT NULL,
  company_id uuid,
  source_group data_source_group NOT NULL,
  success integer NOT NULL DEFAULT 0,
  warning integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  running integer NOT NULL DEFAULT 0,
  didnt_run integer NOT NULL DEFAULT 0,
  anomalies integer NOT NULL DEFAULT 0,
  transferred_bytes bigint NOT NULL DEFAULT 0,
  duration_ms_max bigint NOT NULL DEFAULT 0,
  -- In this order a job's days lie together: the calendar reads a page of jobs with one descent each.
  PRIMARY KEY (provider_id, job_instance_uid, day)
) PARTITION BY RANGE (day);
--> statement-breakpoint
-- Reports over all jobs read whole days in the order of the pages. None of its columns change, so updates stay within their page.
CREATE INDEX job_days_day ON job_days (provider_id, day);
--> statement-breakpoint
CREATE INDEX job_days_trouble ON job_days (provider_id, day) WHERE failed > 0 OR warning > 0 OR didnt_run > 0 OR anomalies > 0;
--> statement-breakpoint
CREATE TABLE job_days_other PARTITION OF job_days DEFAULT;
--> statement-breakpoint
CREATE TABLE company_days (
  provider_id integer NOT NULL,
  day date NOT NULL,
  -- zeros: rows of no company
  company_id uuid NOT NULL,
  source_group data_source_group NOT NULL,
  success integer NOT NULL DEFAULT 0,
  warning integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  running integer NOT NULL DEFAULT 0,
  didnt_run integer NOT NULL DEFAULT 0,
  anomalies integer NOT NULL DEFAULT 0,
  transferred_bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (provider_id, day, company_id, source_group)
);
--> statement-breakpoint
-- The same for a whole provider: what its own staff sees unfiltered costs a few rows a day, however many companies there are.
CREATE TABLE provider_days (
  provider_id integer NOT NULL,
  day date NOT NULL,
  source_group data_source_group NOT NULL,
  success integer NOT NULL DEFAULT 0,
  warning integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  running integer NOT NULL DEFAULT 0,
  didnt_run integer NOT NULL DEFAULT 0,
  anomalies integer NOT NULL DEFAULT 0,
  transferred_bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (provider_id, day, source_group)
) WITH (fillfactor = 50);
--> statement-breakpoint

-- Runs of a source's history that could not be put on a job without guessing.
CREATE TABLE unmatched_runs (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  source_id uuid NOT NULL,
  external_id text NOT NULL,
  job_name text NOT NULL,
  company_id uuid,
  started_at timestamptz NOT NULL,
  result execution_result NOT NULL,
  message text,
  PRIMARY KEY (provider_id, id)
);
--> statement-breakpoint
CREATE UNIQUE INDEX unmatched_runs_external ON unmatched_runs (provider_id, source_id, external_id);
--> statement-breakpoint
CREATE INDEX unmatched_runs_started ON unmatched_runs (provider_id, started_at);
--> statement-breakpoint

CREATE TABLE repositories (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  source_id uuid NOT NULL,
  external_id text NOT NULL,
  company_id uuid,
  name text NOT NULL,
  kind text,
  server_name text,
  path text,
  status text,
  capacity_bytes bigint,
  free_bytes bigint,
  used_bytes bigint,
  read_at timestamptz NOT NULL,
  removed_at timestamptz,
  PRIMARY KEY (provider_id, id)
);
--> statement-breakpoint
CREATE UNIQUE INDEX repositories_external ON repositories (provider_id, source_id, external_id);
--> statement-breakpoint
CREATE TABLE repository_days (
  provider_id integer NOT NULL,
  repository_id uuid NOT NULL,
  day date NOT NULL,
  capacity_bytes bigint,
  free_bytes bigint,
  used_bytes bigint,
  PRIMARY KEY (provider_id, repository_id, day)
);
--> statement-breakpoint
CREATE TABLE computers (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  source_id uuid NOT NULL,
  external_id text NOT NULL,
  company_id uuid,
  host_name text NOT NULL,
  fqdn text,
  operating_system text,
  platform text,
  ip_addresses text[] NOT NULL DEFAULT '{}',
  status text,
  agent_installation_status text,
  agent_management_status text,
  last_seen_at timestamptz,
  removed_at timestamptz,
  ignored_at timestamptz,
  note text,
  PRIMARY KEY (provider_id, id)
);
--> statement-breakpoint
CREATE UNIQUE INDEX computers_external ON computers (provider_id, source_id, external_id);
--> statement-breakpoint
CREATE TABLE licence_usage (
  provider_id integer NOT NULL,
  source_id uuid NOT NULL,
  company_id uuid NOT NULL,
  month date NOT NULL,
  server_external_id text NOT NULL DEFAULT '',
  workload text NOT NULL,
  unit_type text,
  used_count numeric,
  used_units numeric,
  new_units numeric,
  rental_units numeric,
  read_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, source_id, company_id, month, server_external_id, workload)
);
--> statement-breakpoint

-- Months are kept ready ahead of time (monitoring.keep-partitions); a month that already has rows in the default partition
-- moves them.
CREATE FUNCTION keep_month(month date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first date := date_trunc('month', month)::date;
  next date := (date_trunc('month', month) + interval '1 month')::date;
  part text;
  tab text;
  col text;
BEGIN
  PERFORM pg_advisory_xact_lock(7305119);
  FOR tab, col IN VALUES ('job_executions', 'started_at'), ('job_execution_logs', 'started_at'), ('job_days', 'day') LOOP
    part := tab || '_' || to_char(first, 'YYYY_MM');
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part, tab);
    EXECUTE format('WITH moved AS (DELETE FROM %I WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
      tab || '_other', col, first, col, next, part);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', tab, part, first, next);
  END LOOP;
END $$;
--> statement-breakpoint
SELECT keep_month((date_trunc('month', now()) + make_interval(months => n))::date) FROM generate_series(-12, 3) AS n;
