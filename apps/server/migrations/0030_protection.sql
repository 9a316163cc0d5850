-- When the directory of an organization was read, and how many people it has whom Microsoft licenses. A row is there from the first attempt on.
CREATE TABLE m365_directory_reads (
  provider_id integer NOT NULL,
  organization_id uuid NOT NULL,
  people integer NOT NULL DEFAULT 0,
  -- Null: never yet.
  read_at timestamptz,
  next_at timestamptz NOT NULL,
  -- Why the last attempt failed, for people.
  message text,
  PRIMARY KEY (provider_id, organization_id),
  FOREIGN KEY (provider_id, organization_id) REFERENCES m365_organizations ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX m365_directory_reads_next ON m365_directory_reads (next_at);
--> statement-breakpoint
-- Of these, those of whom nothing was backed up in the last 31 days. Who is backed up is deleted here.
CREATE TABLE m365_unprotected_people (
  provider_id integer NOT NULL,
  organization_id uuid NOT NULL,
  -- At Microsoft, in lower case.
  object_id text NOT NULL,
  name text NOT NULL,
  address text,
  PRIMARY KEY (provider_id, organization_id, object_id),
  FOREIGN KEY (provider_id, organization_id) REFERENCES m365_organizations ON DELETE CASCADE
);
--> statement-breakpoint
-- Each object of the restore points of a repository, with the end of the newest one in which it is complete.
CREATE TABLE m365_object_points (
  provider_id integer NOT NULL,
  repository_id uuid NOT NULL,
  -- Of the engine.
  object_key text NOT NULL,
  organization_id uuid NOT NULL,
  -- The job of the newest restore point with it.
  job_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  seen_at timestamptz NOT NULL,
  -- Null: in none.
  complete_at timestamptz,
  PRIMARY KEY (provider_id, repository_id, object_key),
  FOREIGN KEY (provider_id, repository_id) REFERENCES m365_repositories ON DELETE CASCADE,
  FOREIGN KEY (provider_id, job_id) REFERENCES m365_jobs ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX m365_object_points_age ON m365_object_points (provider_id, organization_id, complete_at);
--> statement-breakpoint
CREATE INDEX m365_object_points_job ON m365_object_points (provider_id, job_id);
--> statement-breakpoint
-- The objects of the newest restore point of each job are noted within a minute.
UPDATE m365_job_sessions s SET count_users_at = '-infinity'
FROM (SELECT DISTINCT ON (provider_id, job_id) provider_id, id FROM m365_job_sessions
      WHERE restore_point IS NOT NULL ORDER BY provider_id, job_id, ended_at DESC) newest
WHERE s.provider_id = newest.provider_id AND s.id = newest.id;
