-- When the portal backs up its own database, and how far it is with that. One row.
CREATE TABLE backup_plan (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  is_on boolean NOT NULL DEFAULT false,
  at text NOT NULL DEFAULT '02:00',
  keep integer NOT NULL DEFAULT 7,
  begun_at timestamptz,
  running_since timestamptz,
  seen_at timestamptz,
  done_bytes bigint NOT NULL DEFAULT 0,
  total_bytes bigint NOT NULL DEFAULT 0,
  failed_at timestamptz,
  failure text
);
--> statement-breakpoint
INSERT INTO backup_plan DEFAULT VALUES;
