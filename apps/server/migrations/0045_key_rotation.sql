-- While the key of the stored secrets is rotated: the same known text, sealed with the key that is in force now. `sealed` is then that of the key before
-- it, without which no program starts until nothing is sealed with it any more. `since`: when the key in force was first used; not known of earlier ones.
ALTER TABLE secret_check ADD COLUMN next_sealed bytea, ADD COLUMN since timestamptz;
--> statement-breakpoint
-- The key of what is invented for user names that do not exist, such as secret questions. It outlives a rotation: what changed with it would say which
-- names those are.
CREATE TABLE mark_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  key bytea NOT NULL
);
