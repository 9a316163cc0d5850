-- A run that is told late looks for the missed run that it takes back; there are few of those among many runs.
CREATE INDEX job_executions_missed ON job_executions (provider_id, job_instance_uid, started_at) WHERE result = 'DidntRun';
