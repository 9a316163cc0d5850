-- Erasures take names out of the runs of one repository, and would read all runs of all providers for them.
CREATE INDEX m365_job_sessions_repository ON m365_job_sessions (provider_id, repository_id);
