-- Authenticator apps, one of a user. The key is sealed. It counts once a code confirmed it; last_step is the time step of the last code that
-- counted, so that none counts twice.
CREATE TABLE authenticators (
  provider_id integer NOT NULL,
  user_id uuid NOT NULL,
  secret bytea NOT NULL,
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  last_used_at timestamptz,
  PRIMARY KEY (provider_id, user_id),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE
);
--> statement-breakpoint
-- Passkeys, by the id that the browser's authenticator gave them.
CREATE TABLE passkeys (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE
);
--> statement-breakpoint
CREATE UNIQUE INDEX passkeys_credential ON passkeys (provider_id, credential_id);
--> statement-breakpoint
CREATE INDEX passkeys_user ON passkeys (provider_id, user_id);
--> statement-breakpoint
-- Codes that replace a second factor that was lost, as hashes; each counts once.
CREATE TABLE recovery_codes (
  provider_id integer NOT NULL,
  user_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (provider_id, user_id, code_hash),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE
);
--> statement-breakpoint
-- What has been begun and is to be proved with a second factor, by the hash of its token: a sign-in whose password was right, one with a
-- passkey alone (no user is known yet), a new passkey.
CREATE TABLE sign_in_challenges (
  provider_id integer NOT NULL,
  token_hash bytea NOT NULL,
  purpose text NOT NULL,
  user_id uuid,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, token_hash),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX sign_in_challenges_user ON sign_in_challenges (provider_id, user_id);
--> statement-breakpoint
CREATE INDEX sign_in_challenges_expiry ON sign_in_challenges (expires_at);
--> statement-breakpoint
-- Until when no second factor is asked for in a browser.
ALTER TABLE sign_in_devices ADD COLUMN trusted_until timestamptz;
--> statement-breakpoint
-- What a provider asks of all its users.
CREATE TABLE sign_in_rules (
  provider_id integer NOT NULL PRIMARY KEY,
  requires_second_factor boolean NOT NULL,
  FOREIGN KEY (provider_id) REFERENCES providers ON DELETE CASCADE
);
--> statement-breakpoint
-- Whether the user has to add a second factor before anything else opens.
ALTER TABLE sessions ADD COLUMN must_enrol boolean NOT NULL DEFAULT false;
--> statement-breakpoint
-- A challenge is worth the password that was given for it: it ends with that password.
CREATE OR REPLACE FUNCTION end_sessions_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE provider_id = NEW.provider_id AND user_id = NEW.id;
  DELETE FROM sign_in_challenges WHERE provider_id = NEW.provider_id AND user_id = NEW.id;
  IF NEW.password_hash IS DISTINCT FROM OLD.password_hash THEN
    DELETE FROM sign_in_devices WHERE provider_id = NEW.provider_id AND user_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
