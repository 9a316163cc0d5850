-- Organizations of Microsoft 365, each with the engine that backs it up; `settings` is what that engine needs of it, without secrets.
CREATE TABLE m365_organizations (
  provider_id integer NOT NULL REFERENCES providers,
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  engine text NOT NULL CHECK (engine IN ('built-in', 'veeam')),
  name text NOT NULL,
  -- At Microsoft: contoso.onmicrosoft.com, and the id of the tenant.
  office_name text NOT NULL,
  tenant_id text NOT NULL,
  region text NOT NULL,
  auth_type text NOT NULL CHECK (auth_type IN ('basic', 'modern', 'modernLegacy')),
  services text[] NOT NULL,
  settings jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, company_id) REFERENCES companies
);
--> statement-breakpoint
CREATE INDEX m365_organizations_company ON m365_organizations (provider_id, company_id);
--> statement-breakpoint
-- A tenant is backed up by one organization of a provider: two would pay, and be throttled, twice.
CREATE UNIQUE INDEX m365_organizations_tenant ON m365_organizations (provider_id, tenant_id);
--> statement-breakpoint
-- The applications of an organization at Microsoft: several to back up raise its limits, one more restores. One that may do both has two rows.
CREATE TABLE m365_applications (
  provider_id integer NOT NULL,
  organization_id uuid NOT NULL,
  -- As Microsoft calls it: the client id.
  application_id text NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('backup', 'restore')),
  name text NOT NULL,
  -- A secret, or a private key with its certificate; sealed for this application.
  credentials bytea NOT NULL,
  certificate_thumbprint text,
  certificate_expires_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, organization_id, application_id, purpose),
  FOREIGN KEY (provider_id, organization_id) REFERENCES m365_organizations ON DELETE CASCADE
);
--> statement-breakpoint
-- Sign-ins of a person by a code that is entered on another screen: what the code was given out for, and what the sign-in proved.
CREATE TABLE m365_device_codes (
  provider_id integer NOT NULL,
  company_id uuid NOT NULL,
  user_code text NOT NULL,
  user_id uuid NOT NULL,
  organization_id uuid,
  region text NOT NULL,
  -- The code with which the token is asked for, then the token; sealed.
  secret bytea NOT NULL,
  interval_ms integer NOT NULL,
  next_ask_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, company_id, user_code),
  FOREIGN KEY (provider_id, company_id) REFERENCES companies
);
--> statement-breakpoint
CREATE TABLE m365_repositories (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  name text NOT NULL,
  place_kind text NOT NULL CHECK (place_kind IN ('folder', 's3')),
  -- A folder, or `s3://bucket/prefix`; no other repository is in it.
  place text NOT NULL,
  place_settings jsonb NOT NULL DEFAULT '{}',
  -- The password of the repository, and the keys of the store; sealed.
  secrets bytea NOT NULL,
  password_description text NOT NULL,
  -- Null: for ever.
  retention_years integer,
  immutable_days integer NOT NULL DEFAULT 0,
  -- The id that the engine gave it when it was made.
  engine_id text NOT NULL,
  used_bytes bigint,
  free_bytes bigint,
  measured_at timestamptz,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, organization_id) REFERENCES m365_organizations
);
--> statement-breakpoint
CREATE UNIQUE INDEX m365_repositories_place ON m365_repositories (provider_id, place);
--> statement-breakpoint
CREATE INDEX m365_repositories_organization ON m365_repositories (provider_id, organization_id);
--> statement-breakpoint
CREATE TABLE m365_jobs (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  repository_id uuid NOT NULL,
  proxy_pool_id uuid,
  name text NOT NULL,
  description text NOT NULL,
  backup_type text NOT NULL CHECK (backup_type IN ('EntireOrganization', 'SelectedItems')),
  selected jsonb NOT NULL,
  excluded jsonb NOT NULL,
  with_chats boolean NOT NULL,
  is_enabled boolean NOT NULL,
  schedule jsonb NOT NULL,
  -- Users, other addresses, and whether only of what failed.
  notification jsonb NOT NULL DEFAULT '{}',
  -- Null: by no schedule.
  next_run_at timestamptz,
  -- Of the run that a next attempt would repeat.
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, organization_id) REFERENCES m365_organizations,
  FOREIGN KEY (provider_id, repository_id) REFERENCES m365_repositories
);
--> statement-breakpoint
CREATE INDEX m365_jobs_organization ON m365_jobs (provider_id, organization_id);
--> statement-breakpoint
CREATE INDEX m365_jobs_repository ON m365_jobs (provider_id, repository_id);
--> statement-breakpoint
CREATE INDEX m365_jobs_due ON m365_jobs (next_run_at) WHERE is_enabled AND next_run_at IS NOT NULL;
--> statement-breakpoint
CREATE TABLE m365_job_sessions (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  job_id uuid NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz,
  result text NOT NULL CHECK (result IN ('Running', 'Success', 'Warning', 'Failed')),
  -- A person, or the end of the window, asked it to end.
  stop_asked_at timestamptz,
  message text,
  -- Counts and rates, as the worker last reported them.
  progress jsonb NOT NULL DEFAULT '{}',
  worker_id uuid,
  -- Until then the worker is believed to be at it; after it another goes on.
  claimed_until timestamptz,
  -- Claims whose worker did not give the run back.
  claims integer NOT NULL DEFAULT 0,
  -- The run in the repository that the last worker began: whether it had ended is asked of the catalog.
  engine_run text,
  -- The same, once it ended.
  restore_point text,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, job_id) REFERENCES m365_jobs ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX m365_job_sessions_job ON m365_job_sessions (provider_id, job_id, started_at DESC);
--> statement-breakpoint
-- A job runs once at a time.
CREATE UNIQUE INDEX m365_job_sessions_running ON m365_job_sessions (provider_id, job_id) WHERE ended_at IS NULL;
--> statement-breakpoint
CREATE TABLE m365_session_log (
  provider_id integer NOT NULL,
  session_id uuid NOT NULL,
  line bigint GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL,
  level text NOT NULL CHECK (level IN ('info', 'warning', 'error')),
  object_name text,
  text text NOT NULL,
  PRIMARY KEY (provider_id, session_id, line),
  FOREIGN KEY (provider_id, session_id) REFERENCES m365_job_sessions ON DELETE CASCADE
);
--> statement-breakpoint
-- Worker processes, of all providers: a worker serves whoever has work.
CREATE TABLE m365_workers (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  version text NOT NULL,
  pool text,
  capacity integer NOT NULL,
  running integer NOT NULL,
  started_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
);
