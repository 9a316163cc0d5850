-- How many erasures of its catalog were followed: of these nothing is left here that names what was erased.
ALTER TABLE m365_repositories ADD COLUMN erasures_followed integer NOT NULL DEFAULT 0;
