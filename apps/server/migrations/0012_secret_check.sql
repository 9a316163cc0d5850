-- A known text, sealed with the key of the stored secrets: a program with another key notices at its start, before it
-- seals anything that the others cannot open.
CREATE TABLE secret_check (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  sealed bytea NOT NULL
);
