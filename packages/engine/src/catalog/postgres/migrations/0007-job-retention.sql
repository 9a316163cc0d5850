-- For how many days a job's restore points stay, as the run says it that made one; null: as all others do.
ALTER TABLE runs ADD keep_days integer;

-- The latest instant of all expiries applied to a job that any of them named; repositories.expired_before is that of the others.
CREATE TABLE job_expiry (
  repository integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
  job text COLLATE "C" NOT NULL,
  before timestamptz NOT NULL,
  PRIMARY KEY (repository, job)
);
