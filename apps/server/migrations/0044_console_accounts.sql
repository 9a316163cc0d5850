-- Accounts of users in connected consoles, at most one of a user in each kind of console.
CREATE TABLE user_accounts (
  provider_id integer NOT NULL,
  user_id uuid NOT NULL,
  kind text NOT NULL,
  connection_id uuid NOT NULL,
  account_id text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (provider_id, user_id, kind),
  UNIQUE (provider_id, user_id, account_id),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE,
  FOREIGN KEY (provider_id, connection_id) REFERENCES connections ON DELETE CASCADE
);
--> statement-breakpoint
-- Who removed a company, and why. Empty for one that no user removed.
ALTER TABLE companies ADD COLUMN deleted_by uuid, ADD COLUMN deletion_reason text;
