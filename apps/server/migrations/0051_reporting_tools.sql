-- Which tool reports a job, and with which token it did so last. Jobs that tools have reported so far get both with their next report.
ALTER TABLE jobs ADD COLUMN tool text;
--> statement-breakpoint
ALTER TABLE jobs ADD COLUMN intake_token_id uuid;
--> statement-breakpoint
-- What healed since yesterday, whenever it failed for the last time.
CREATE INDEX faults_closed ON faults (provider_id, closed_at) WHERE closed_at IS NOT NULL;
