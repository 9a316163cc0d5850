-- Whether the log of a run is still there: it goes before the run.
ALTER TABLE m365_job_sessions ADD COLUMN has_log boolean NOT NULL DEFAULT true;
--> statement-breakpoint
CREATE INDEX m365_job_sessions_logged ON m365_job_sessions (ended_at) WHERE has_log;
--> statement-breakpoint
CREATE INDEX restore_operations_ended ON restore_operations (is_plan, ended_at);
--> statement-breakpoint
CREATE INDEX restore_downloads_over ON restore_downloads (created_at) WHERE state IN ('expired', 'failed', 'cancelled');
