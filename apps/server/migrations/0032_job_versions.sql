-- Grows with each change that a person makes, so that one who changes what was changed meanwhile is refused.
ALTER TABLE m365_jobs ADD COLUMN version integer NOT NULL DEFAULT 1;
