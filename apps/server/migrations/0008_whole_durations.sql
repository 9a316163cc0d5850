-- The longest duration of a job's day is that of whole runs: where one took several attempts, from the start of the first to the
-- end of the last, as lists show it. Until now it was that of the last attempt, which is never longer.
UPDATE job_days d SET duration_ms_max = greatest(d.duration_ms_max, w.duration_ms)
FROM (
  SELECT e.provider_id, e.job_instance_uid, (e.started_at AT TIME ZONE 'UTC')::date AS day,
    max((extract(epoch from e.ended_at - e.started_at) * 1000)::bigint) AS duration_ms
  FROM job_executions e WHERE e.attempts > 1 AND e.ended_at IS NOT NULL GROUP BY 1, 2, 3) w
WHERE d.provider_id = w.provider_id AND d.job_instance_uid = w.job_instance_uid AND d.day = w.day
  AND d.duration_ms_max < w.duration_ms;
