-- A requested sync is a job that commits with what requests it.
ALTER TABLE sources DROP COLUMN wanted_sync;
