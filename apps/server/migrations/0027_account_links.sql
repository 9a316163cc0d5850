-- Links with which a user sets a password, by the hash of the token in them: an invitation, or after a forgotten password.
CREATE TABLE account_links (
  provider_id integer NOT NULL,
  token_hash bytea NOT NULL,
  user_id uuid NOT NULL,
  is_invitation boolean NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, token_hash),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX account_links_user ON account_links (provider_id, user_id);
--> statement-breakpoint
CREATE INDEX account_links_expiry ON account_links (expires_at);
--> statement-breakpoint
-- Whether a user has to choose a new password at the next sign-in, because another person set it.
ALTER TABLE users ADD COLUMN must_change_password boolean NOT NULL DEFAULT false;
