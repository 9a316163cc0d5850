-- When the next run should begin, beside when it counts as overdue: how much time lies between the two hangs on the rhythm, and changes.
-- Slots before `scheduled_since` are none of the present schedule; null: it always held. `last_missed_at` is when the newest missed run
-- was expected that was ever written: a run that begins long after it cannot be that of a missed slot.
ALTER TABLE jobs ADD COLUMN expected_at timestamptz, ADD COLUMN scheduled_since timestamptz, ADD COLUMN last_missed_at timestamptz;
--> statement-breakpoint
-- The rhythm of a job as executions/rhythm.ts tells it: the interval of its schedule, else the median between the starts in its baseline,
-- see executions/baseline.ts for the layout.
UPDATE jobs j SET expected_at = j.overdue_at - make_interval(secs => coalesce(
  (SELECT least(43200, greatest(1800, round(r.interval_ms / 2.0) / 1000)) FROM (
    SELECT coalesce(j.interval_ms, (
      SELECT CASE WHEN count(*) >= 3 THEN percentile_disc(0.5) WITHIN GROUP (ORDER BY g.gap) * 1000 END
      FROM (SELECT s.start - lag(s.start) OVER (ORDER BY s.n) AS gap FROM (
        SELECT n, get_byte(j.baseline, 1 + 10 * n) + get_byte(j.baseline, 2 + 10 * n) * 256::bigint
          + get_byte(j.baseline, 3 + 10 * n) * 65536::bigint + get_byte(j.baseline, 4 + 10 * n) * 16777216::bigint AS start
        FROM generate_series(0, (length(j.baseline) - 1) / 10 - 1) n WHERE get_byte(j.baseline, 0) = 1) s) g
      WHERE g.gap IS NOT NULL)) AS interval_ms) r
  WHERE r.interval_ms >= 60000 AND (j.interval_ms IS NOT NULL OR r.interval_ms <= 691200000)), 43200))
WHERE j.overdue_at IS NOT NULL;
--> statement-breakpoint
UPDATE jobs j SET last_missed_at = m.at
FROM (SELECT provider_id, job_instance_uid, max(started_at) AS at FROM job_executions WHERE result = 'DidntRun' GROUP BY 1, 2) m
WHERE j.provider_id = m.provider_id AND j.job_instance_uid = m.job_instance_uid;
