-- Items of two objects of one restore may have the same id.
ALTER TABLE restore_operation_items ADD COLUMN part integer NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE restore_operation_items DROP CONSTRAINT restore_operation_items_pkey;
--> statement-breakpoint
ALTER TABLE restore_operation_items ADD PRIMARY KEY (provider_id, operation_id, part, item_id);
--> statement-breakpoint
-- Workers that have begun it; those that gave it back do not count.
ALTER TABLE restore_operations ADD COLUMN claims integer NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE restore_downloads ADD COLUMN claims integer NOT NULL DEFAULT 0;
--> statement-breakpoint
CREATE INDEX restore_operations_unended ON restore_operations (created_at) WHERE ended_at IS NULL;
--> statement-breakpoint
CREATE INDEX restore_downloads_unended ON restore_downloads (created_at) WHERE state IN ('queued', 'running');
--> statement-breakpoint
CREATE INDEX restore_sign_ins_expires ON restore_sign_ins (expires_at);
--> statement-breakpoint
-- Runs with a restore point: how many a job has, and when the first and the last ended.
CREATE INDEX m365_job_sessions_points ON m365_job_sessions (provider_id, job_id, ended_at) WHERE restore_point IS NOT NULL;
--> statement-breakpoint
-- A person started it: it is not bound by the backup window of its job.
ALTER TABLE m365_job_sessions ADD COLUMN is_by_hand boolean NOT NULL DEFAULT false;
