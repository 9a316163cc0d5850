-- Sums of a day change with every run of that day. A page that is full when it is written has no room for the changed row: each
-- change then goes to another page and into every index, and the table grows by it until it is vacuumed.
ALTER TABLE company_days SET (fillfactor = 50);
--> statement-breakpoint
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'job_days'::regclass LOOP
    EXECUTE format('ALTER TABLE %s SET (fillfactor = 70)', part);
  END LOOP;
END $$;
--> statement-breakpoint
-- As before, and new months of job_days leave room too: a partition does not take that over from its table.
CREATE OR REPLACE FUNCTION keep_month(month date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first date := date_trunc('month', month)::date;
  next date := (date_trunc('month', month) + interval '1 month')::date;
  part text;
  tab text;
  col text;
  filled integer;
BEGIN
  PERFORM pg_advisory_xact_lock(7305119);
  FOR tab, col, filled IN VALUES ('job_executions', 'started_at', 100), ('job_execution_logs', 'started_at', 100), ('job_days', 'day', 70) LOOP
    part := tab || '_' || to_char(first, 'YYYY_MM');
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) WITH (fillfactor = %s)', part, tab, filled);
    EXECUTE format('WITH moved AS (DELETE FROM %I WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
      tab || '_other', col, first, col, next, part);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', tab, part, first, next);
  END LOOP;
END $$;
