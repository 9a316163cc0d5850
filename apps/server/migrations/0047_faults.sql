-- A fault is an unbroken sequence of runs of one job that are not fine: from the first of them to the next one that is (Success without an anomaly).
-- It is made from job_executions in the transaction that changes them. Its id is that of its first run; kind, state and who changed it are
-- copies of those of its last run.
CREATE TABLE faults (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  job_instance_uid uuid NOT NULL,
  company_id uuid,
  source_group data_source_group NOT NULL,
  opened_at timestamptz NOT NULL,
  -- The last run before it that was fine.
  fine_at timestamptz,
  last_started_at timestamptz NOT NULL,
  last_execution_id uuid NOT NULL,
  runs integer NOT NULL,
  -- The start of the run that ended it.
  closed_at timestamptz,
  kind text NOT NULL CHECK (kind IN ('failed', 'missed', 'doubtful', 'warning')),
  state execution_state NOT NULL,
  ignored_until timestamptz,
  changed_by uuid,
  changed_by_name text,
  changed_at timestamptz,
  cause_key text NOT NULL,
  cause_why text NOT NULL,
  cause_subject text,
  -- Where it is in the queue: what failed, was missed, is doubtful, has a warning, and what is healed.
  place smallint NOT NULL GENERATED ALWAYS AS (
    CASE WHEN closed_at IS NOT NULL THEN 4 WHEN kind = 'failed' THEN 0 WHEN kind = 'missed' THEN 1 WHEN kind = 'doubtful' THEN 2 ELSE 3 END) STORED,
  PRIMARY KEY (provider_id, id),
  UNIQUE (provider_id, job_instance_uid, opened_at)
);
--> statement-breakpoint
CREATE INDEX faults_queue ON faults (provider_id, place, last_started_at DESC, id) WHERE state IN ('pending', 'in-progress');
--> statement-breakpoint
CREATE INDEX faults_recent ON faults (provider_id, last_started_at DESC, id);
--> statement-breakpoint
CREATE INDEX faults_company ON faults (provider_id, company_id, last_started_at DESC);
--> statement-breakpoint
CREATE INDEX faults_cause ON faults (provider_id, cause_key) WHERE state IN ('pending', 'in-progress') AND closed_at IS NULL;
--> statement-breakpoint
-- Jobs whose runs are older than this table: a scheduled job finds their faults.
ALTER TABLE jobs ADD COLUMN are_faults_known boolean NOT NULL DEFAULT false;
--> statement-breakpoint
ALTER TABLE jobs ALTER COLUMN are_faults_known SET DEFAULT true;
--> statement-breakpoint
CREATE INDEX jobs_unknown_faults ON jobs (provider_id, job_instance_uid) WHERE NOT are_faults_known;
