-- Notes of an execution become a thread: [{ id, content, userId, by, at }], oldest first. And a changed state says who and when.
ALTER TABLE job_executions RENAME COLUMN note TO notes;
--> statement-breakpoint
ALTER TABLE job_executions ADD COLUMN changed_by_name text, ADD COLUMN changed_at timestamptz;
--> statement-breakpoint
UPDATE job_executions SET notes = jsonb_build_array(notes || jsonb_build_object('id', gen_random_uuid()))
WHERE jsonb_typeof(notes) = 'object';
--> statement-breakpoint
UPDATE job_executions e SET changed_by_name = u.username
FROM users u WHERE u.id = e.changed_by AND u.provider_id = e.provider_id;
