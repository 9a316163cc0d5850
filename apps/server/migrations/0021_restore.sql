-- What a user looks at of the backups of an organization: the newest restore point of each job at an instant.
CREATE TABLE restore_sessions (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  session_type text NOT NULL CHECK (session_type IN ('vex', 'veod', 'vesp', 'vet')),
  job_id uuid,
  -- What was asked for.
  at timestamptz NOT NULL,
  show_deleted boolean NOT NULL,
  -- The restore points, newest first, each with its repository.
  points jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  stopped_at timestamptz,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, organization_id) REFERENCES m365_organizations ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX restore_sessions_ends ON restore_sessions (ends_at);
--> statement-breakpoint
-- Sign-ins by device code with which users prove that they may restore: given out, then confirmed. They end with the session.
CREATE TABLE restore_sign_ins (
  provider_id integer NOT NULL,
  user_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  company_id uuid NOT NULL,
  user_code text NOT NULL,
  -- The code by which the platform is asked, then the token; sealed.
  secret bytea NOT NULL,
  interval_ms integer NOT NULL,
  next_ask_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Who signed in, once that happened: null until then.
  account text,
  account_id text,
  role text CHECK (role IN ('administrator', 'owner')),
  PRIMARY KEY (provider_id, user_id, organization_id),
  FOREIGN KEY (provider_id, organization_id) REFERENCES m365_organizations ON DELETE CASCADE
);
--> statement-breakpoint
CREATE TABLE restore_operations (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  organization_name text NOT NULL,
  session_id uuid NOT NULL,
  user_id uuid NOT NULL,
  username text NOT NULL,
  name text NOT NULL,
  target text NOT NULL,
  is_plan boolean NOT NULL,
  -- What of which objects is to go where, and how.
  restore_order jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('Queued', 'Running', 'Success', 'Warning', 'Failed', 'Cancelled')),
  created_at timestamptz NOT NULL,
  cancel_asked_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  -- Counts, as the worker last reported them.
  progress jsonb NOT NULL DEFAULT '{}',
  message text,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, organization_id) REFERENCES m365_organizations ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX restore_operations_user ON restore_operations (provider_id, user_id, created_at DESC);
--> statement-breakpoint
-- Of a plan each item, of a restore those that are not as they were to be; the first 10,000. A restore that goes on after a crash replaces lines.
CREATE TABLE restore_operation_items (
  provider_id integer NOT NULL,
  operation_id uuid NOT NULL,
  line bigint GENERATED ALWAYS AS IDENTITY,
  item_id text NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  path text NOT NULL,
  outcome text NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (provider_id, operation_id, item_id),
  FOREIGN KEY (provider_id, operation_id) REFERENCES restore_operations ON DELETE CASCADE
);
--> statement-breakpoint
-- Files that workers make, and that stay for some days.
CREATE TABLE restore_downloads (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  organization_name text NOT NULL,
  session_id uuid,
  user_id uuid NOT NULL,
  username text NOT NULL,
  file_name text NOT NULL,
  format text NOT NULL,
  -- What of which object is in it.
  download_order jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('queued', 'running', 'finished', 'failed', 'cancelled', 'expired')),
  created_at timestamptz NOT NULL,
  cancel_asked_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz,
  progress jsonb NOT NULL DEFAULT '{}',
  size_bytes bigint,
  sha256 text,
  missing integer NOT NULL DEFAULT 0,
  message text,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, organization_id) REFERENCES m365_organizations ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX restore_downloads_user ON restore_downloads (provider_id, user_id, created_at DESC);
--> statement-breakpoint
CREATE INDEX restore_downloads_expires ON restore_downloads (expires_at) WHERE state = 'finished';
