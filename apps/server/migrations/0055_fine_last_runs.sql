-- Whether the newest run of a job needs no attention: a run that follows such a one touches no fault. Jobs learn it with their next run.
ALTER TABLE jobs ADD COLUMN is_last_fine boolean NOT NULL DEFAULT false;
