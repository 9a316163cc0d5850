-- Which roles and companies the groups of an identity provider (a connection) give: a list of lines, of which the first counts.
CREATE TABLE group_roles (
  provider_id integer NOT NULL,
  connection_id uuid NOT NULL,
  lines jsonb NOT NULL,
  PRIMARY KEY (provider_id, connection_id),
  FOREIGN KEY (provider_id, connection_id) REFERENCES connections ON DELETE CASCADE
);
--> statement-breakpoint
-- Users who sign in through an identity provider, by what it knows them as. A deleted user stays here, so that no sign-in brings that user back.
CREATE TABLE user_identities (
  provider_id integer NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, issuer, subject),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX user_identities_user ON user_identities (provider_id, user_id);
--> statement-breakpoint
-- Sign-ins that were begun at an identity provider, by the hashes of their state and of the token of the browser that began them.
CREATE TABLE begun_sign_ins (
  provider_id integer NOT NULL,
  state_hash bytea NOT NULL,
  browser_hash bytea NOT NULL,
  connection_id uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, state_hash),
  FOREIGN KEY (provider_id, connection_id) REFERENCES connections ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX begun_sign_ins_expiry ON begun_sign_ins (expires_at);
