-- The restore points that repositories have of jobs, as the catalog says it: read again after each run and prune, and each hour. A job that was moved
-- to another repository has them in both; those of a job that was deleted stay.
CREATE TABLE m365_restore_points (
  provider_id integer NOT NULL,
  repository_id uuid NOT NULL,
  -- As the engine knows it.
  job text NOT NULL,
  restore_points integer NOT NULL,
  -- The ends of the oldest and the newest.
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, repository_id, job),
  FOREIGN KEY (provider_id, repository_id) REFERENCES m365_repositories ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX m365_restore_points_job ON m365_restore_points (provider_id, job);
--> statement-breakpoint
-- Until they are first read: what the runs of each job made.
INSERT INTO m365_restore_points (provider_id, repository_id, job, restore_points, first_at, last_at)
SELECT j.provider_id, j.repository_id, j.id::text, count(*), min(s.ended_at), max(s.ended_at)
FROM m365_job_sessions s JOIN m365_jobs j ON j.provider_id = s.provider_id AND j.id = s.job_id
WHERE s.restore_point IS NOT NULL AND s.ended_at IS NOT NULL GROUP BY j.provider_id, j.repository_id, j.id;
--> statement-breakpoint
DROP INDEX m365_job_sessions_points;
--> statement-breakpoint
-- Where a run writes, from its first worker on. It may be gone, so it is no foreign key.
ALTER TABLE m365_job_sessions ADD COLUMN repository_id uuid;
--> statement-breakpoint
UPDATE m365_job_sessions s SET repository_id = j.repository_id FROM m365_jobs j WHERE j.provider_id = s.provider_id AND j.id = s.job_id;
--> statement-breakpoint
-- When the revision was backed up: of what is in several repositories the last one counts.
ALTER TABLE m365_user_backups ADD COLUMN backed_up_at timestamptz NOT NULL DEFAULT '-infinity';
--> statement-breakpoint
-- Which repository was read: it proves nothing of another one that the job was moved to.
ALTER TABLE m365_proofs ADD COLUMN repository_id uuid;
--> statement-breakpoint
UPDATE m365_proofs p SET repository_id = j.repository_id FROM m365_jobs j WHERE j.provider_id = p.provider_id AND j.id = p.job_id;
--> statement-breakpoint
-- What was counted from repositories that are gone.
UPDATE m365_protected_users u SET mailbox_bytes = NULL, archive_bytes = NULL, drive_bytes = NULL, chats_bytes = NULL, bytes = 0
WHERE NOT EXISTS (SELECT FROM m365_user_backups b WHERE b.provider_id = u.provider_id AND b.user_id = u.id);
