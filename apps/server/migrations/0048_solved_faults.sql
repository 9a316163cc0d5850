-- Whether the last run of a fault has a note: what solved a cause is found without reading the runs of all its faults.
ALTER TABLE faults ADD COLUMN is_noted boolean NOT NULL DEFAULT false;
--> statement-breakpoint
UPDATE faults f SET is_noted = true FROM job_executions e
  WHERE e.provider_id = f.provider_id AND e.started_at = f.last_started_at AND e.id = f.last_execution_id AND e.notes IS NOT NULL;
--> statement-breakpoint
CREATE INDEX faults_solved ON faults (provider_id, cause_key, changed_at DESC NULLS LAST, id) WHERE state = 'resolved' AND is_noted;
