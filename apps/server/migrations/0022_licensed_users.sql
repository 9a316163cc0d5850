-- The people of whom something was backed up: each restore point adds its own to them. Bytes are those of current items, null: not backed up.
CREATE TABLE m365_protected_users (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  organization_id uuid NOT NULL,
  -- At Microsoft, in lower case.
  object_id text NOT NULL,
  name text NOT NULL,
  address text,
  mailbox_bytes bigint,
  archive_bytes bigint,
  drive_bytes bigint,
  chats_bytes bigint,
  -- The sum of these.
  bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (provider_id, id),
  UNIQUE (provider_id, organization_id, object_id),
  FOREIGN KEY (provider_id, organization_id) REFERENCES m365_organizations ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX m365_protected_users_bytes ON m365_protected_users (provider_id, bytes DESC);
--> statement-breakpoint
-- What is backed up of them, with its size: measured again when its revision changed.
CREATE TABLE m365_user_backups (
  provider_id integer NOT NULL,
  repository_id uuid NOT NULL,
  -- Of the engine.
  object_key text NOT NULL,
  user_id uuid NOT NULL,
  part text NOT NULL CHECK (part IN ('mailbox', 'archive', 'drive', 'chats')),
  revision integer NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (provider_id, repository_id, object_key),
  FOREIGN KEY (provider_id, repository_id) REFERENCES m365_repositories ON DELETE CASCADE,
  FOREIGN KEY (provider_id, user_id) REFERENCES m365_protected_users ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX m365_user_backups_user ON m365_user_backups (provider_id, user_id);
--> statement-breakpoint
-- From the first backup of a user to the last one, as long as each was made within 31 days of the one before.
CREATE TABLE m365_license_periods (
  provider_id integer NOT NULL,
  user_id uuid NOT NULL,
  began_on date NOT NULL,
  last_backup_on date NOT NULL,
  PRIMARY KEY (provider_id, user_id, began_on),
  FOREIGN KEY (provider_id, user_id) REFERENCES m365_protected_users ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX m365_license_periods_end ON m365_license_periods (provider_id, last_backup_on);
--> statement-breakpoint
-- When the users of its restore point are to be counted, and counted again where the repository could not be read; infinity: they were.
ALTER TABLE m365_job_sessions ADD COLUMN count_users_at timestamptz NOT NULL DEFAULT '-infinity';
--> statement-breakpoint
CREATE INDEX m365_job_sessions_uncounted ON m365_job_sessions (ended_at) WHERE restore_point IS NOT NULL AND count_users_at < 'infinity';
--> statement-breakpoint
-- Runs by day.
CREATE INDEX m365_job_sessions_started ON m365_job_sessions (provider_id, started_at);
