-- Runs of which only company and name are known, and whose name several jobs have, belong to a job row of their own, a shared job.
-- `shared_by` says how many jobs have the name; null: an ordinary job. Each of these names the row in `shared_job`.
ALTER TABLE jobs ADD COLUMN shared_by integer, ADD COLUMN shared_job uuid;
--> statement-breakpoint
CREATE INDEX jobs_shared ON jobs (provider_id, job_instance_uid) WHERE shared_by IS NOT NULL;
--> statement-breakpoint
CREATE INDEX jobs_sharing ON jobs (provider_id, shared_job) WHERE shared_job IS NOT NULL;
--> statement-breakpoint
-- How many jobs a company has is still read from the index alone: a shared job is none of them.
DROP INDEX jobs_company;
--> statement-breakpoint
CREATE INDEX jobs_company ON jobs (provider_id, company_id) INCLUDE (removed_at, shared_by);
