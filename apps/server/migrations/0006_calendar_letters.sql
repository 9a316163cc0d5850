-- The worst result of a job's day as the calendar's letter (CELL_LETTERS of the contract), kept beside the key: a month of a page of jobs is
-- read from the index alone, without a look at each day's row, which lie apart by day.
ALTER TABLE job_days ADD COLUMN letter text NOT NULL GENERATED ALWAYS AS (
  CASE WHEN failed > 0 THEN 'F' WHEN didnt_run > 0 THEN 'D' WHEN warning > 0 THEN 'W' WHEN running > 0 THEN 'R'
    WHEN success > 0 THEN CASE WHEN anomalies > 0 THEN 's' ELSE 'S' END ELSE '-' END) STORED;
--> statement-breakpoint
ALTER TABLE job_days DROP CONSTRAINT job_days_pkey;
--> statement-breakpoint
ALTER TABLE job_days ADD PRIMARY KEY (provider_id, job_instance_uid, day) INCLUDE (letter);
--> statement-breakpoint
-- The index alone tells of pages that a vacuum has seen: each day or two it sees those of the days that are over.
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'job_days'::regclass LOOP
    EXECUTE format('ALTER TABLE %s SET (autovacuum_vacuum_insert_scale_factor = 0.05)', part);
  END LOOP;
END $$;
--> statement-breakpoint
-- As before, for new months too; and what is made of a row's other columns is made anew where a row moves to its month.
CREATE OR REPLACE FUNCTION keep_month(month date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first date := date_trunc('month', month)::date;
  next date := (date_trunc('month', month) + interval '1 month')::date;
  part text;
  tab text;
  col text;
  stored text;
  given text;
BEGIN
  PERFORM pg_advisory_xact_lock(7305119);
  FOR tab, col, stored IN VALUES ('job_executions', 'started_at', 'fillfactor = 100'), ('job_execution_logs', 'started_at', 'fillfactor = 100'),
    ('job_days', 'day', 'fillfactor = 70, autovacuum_vacuum_insert_scale_factor = 0.05') LOOP
    part := tab || '_' || to_char(first, 'YYYY_MM');
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING CONSTRAINTS) WITH (%s)', part, tab, stored);
    SELECT string_agg(quote_ident(attname), ', ') INTO given FROM pg_attribute
      WHERE attrelid = part::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
    EXECUTE format('WITH moved AS (DELETE FROM %I WHERE %I >= %L AND %I < %L RETURNING %s) INSERT INTO %I (%s) SELECT * FROM moved',
      tab || '_other', col, first, col, next, given, part, given);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', tab, part, first, next);
  END LOOP;
END $$;
--> statement-breakpoint
-- How many jobs there are in a company or in all, without those removed before a day: from the index alone, too.
DROP INDEX jobs_company;
--> statement-breakpoint
CREATE INDEX jobs_company ON jobs (provider_id, company_id) INCLUDE (removed_at);
