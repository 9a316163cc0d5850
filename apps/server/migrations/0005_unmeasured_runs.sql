-- Runs that did their work (success or warning) and did not tell how much they transferred: where there are any, the sum of bytes is not
-- the whole. A console's history that is read as a heatmap has no bytes at all.
ALTER TABLE job_days ADD COLUMN unmeasured integer NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE company_days ADD COLUMN unmeasured integer NOT NULL DEFAULT 0;
--> statement-breakpoint
ALTER TABLE provider_days ADD COLUMN unmeasured integer NOT NULL DEFAULT 0;
--> statement-breakpoint
UPDATE job_days d SET unmeasured = e.runs
FROM (SELECT provider_id, job_instance_uid, (started_at AT TIME ZONE 'UTC')::date AS day, count(*) AS runs FROM job_executions
  WHERE transferred_bytes IS NULL AND result IN ('Success', 'Warning') GROUP BY 1, 2, 3) e
WHERE d.provider_id = e.provider_id AND d.job_instance_uid = e.job_instance_uid AND d.day = e.day;
--> statement-breakpoint
UPDATE company_days d SET unmeasured = e.runs
FROM (SELECT provider_id, coalesce(company_id, '00000000-0000-0000-0000-000000000000') AS company_id, source_group,
    (started_at AT TIME ZONE 'UTC')::date AS day, count(*) AS runs FROM job_executions
  WHERE transferred_bytes IS NULL AND result IN ('Success', 'Warning') GROUP BY 1, 2, 3, 4) e
WHERE d.provider_id = e.provider_id AND d.company_id = e.company_id AND d.source_group = e.source_group AND d.day = e.day;
--> statement-breakpoint
UPDATE provider_days d SET unmeasured = c.runs
FROM (SELECT provider_id, day, source_group, sum(unmeasured) AS runs FROM company_days GROUP BY 1, 2, 3) c
WHERE d.provider_id = c.provider_id AND d.day = c.day AND d.source_group = c.source_group;
