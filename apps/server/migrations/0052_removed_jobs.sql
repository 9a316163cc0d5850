-- An open fault of a job that its source no longer has is no work: nobody could do anything about it. It is again when the job is back.
ALTER TABLE faults ADD COLUMN is_job_removed boolean NOT NULL DEFAULT false;
--> statement-breakpoint
UPDATE faults f SET is_job_removed = true FROM jobs j
  WHERE j.provider_id = f.provider_id AND j.job_instance_uid = f.job_instance_uid AND j.removed_at IS NOT NULL AND f.closed_at IS NULL;
--> statement-breakpoint
DROP INDEX faults_queue;
--> statement-breakpoint
CREATE INDEX faults_queue ON faults (provider_id, place, last_started_at DESC, id) WHERE state IN ('pending', 'in-progress') AND NOT is_job_removed;
--> statement-breakpoint
DROP INDEX faults_cause;
--> statement-breakpoint
CREATE INDEX faults_cause ON faults (provider_id, cause_key) WHERE state IN ('pending', 'in-progress') AND NOT is_job_removed AND closed_at IS NULL;
