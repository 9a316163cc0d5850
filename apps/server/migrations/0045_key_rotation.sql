-- While the key of the stored secrets is rotated: the same known text, sealed with the key that is in force now. `sealed` is then that of the key before
-- it, without which no program starts until nothing is sealed with it any more. `since`: when the key in force was first used; not known of earlier ones.
ALTER TABLE secret_check ADD COLUMN next_sealed bytea, ADD COLUMN since timestamptz;
