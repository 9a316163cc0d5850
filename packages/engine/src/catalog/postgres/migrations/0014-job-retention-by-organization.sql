-- Ids of jobs are unique in their organization alone: what was stored of an id was meant for the job of each organization that has it.
ALTER TABLE job_expiry RENAME TO job_expiry_before;
CREATE TABLE job_expiry (
  repository integer NOT NULL REFERENCES repositories ON DELETE CASCADE,
  organization text COLLATE "C" NOT NULL,
  job text COLLATE "C" NOT NULL,
  before timestamptz NOT NULL,
  PRIMARY KEY (repository, organization, job)
);
INSERT INTO job_expiry (repository, organization, job, before)
SELECT DISTINCT e.repository, r.organization, e.job, e.before
FROM job_expiry_before e JOIN runs r ON r.repository = e.repository AND r.job = e.job AND r.kind = 'backup';
DROP TABLE job_expiry_before;

-- Whether the run says for how many days the restore points of its job stay: where it says so without a number, as long as others do. Where it
-- does not, as the job's runs before it said.
ALTER TABLE runs ADD says_keep_days boolean NOT NULL DEFAULT false;
UPDATE runs SET says_keep_days = true WHERE keep_days IS NOT NULL;
