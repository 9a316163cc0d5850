-- What restores did so far, for portals: one goes on in another worker. Not from commits, and of no repository: a rebuild leaves them alone.
CREATE TABLE restore_journals (
  restore text COLLATE "C" PRIMARY KEY,
  begun_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE restore_journal_lines (
  number bigint GENERATED ALWAYS AS IDENTITY,
  restore text COLLATE "C" NOT NULL REFERENCES restore_journals ON DELETE CASCADE,
  line text NOT NULL,
  PRIMARY KEY (restore, number)
);
