-- A sync that a person asked for, by an id of its own, until one that began later has ended: nothing that was asked for is lost
-- where another sync of the source runs or waits, and none of it where the program is stopped meanwhile.
ALTER TABLE sources ADD COLUMN wanted_sync uuid;
