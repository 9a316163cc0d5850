-- Every process hears of a session that has ended, so that the streams opened with it end, too.
CREATE FUNCTION announce_ended_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('keepwatch_ended_sessions', encode(OLD.token_hash, 'hex'));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER session_ended AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION announce_ended_session();
--> statement-breakpoint
-- Browsers from which a user has signed in before, by the hash of a token that each of them stores.
CREATE TABLE sign_in_devices (
  provider_id integer NOT NULL,
  user_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, token_hash, user_id),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX sign_in_devices_user ON sign_in_devices (provider_id, user_id, last_at);
--> statement-breakpoint
-- A user who is disabled or removed, or whose password is changed, is signed out everywhere, whatever made the change; after a change
-- of password no browser is known any more.
CREATE FUNCTION end_sessions_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE provider_id = NEW.provider_id AND user_id = NEW.id;
  IF NEW.password_hash IS DISTINCT FROM OLD.password_hash THEN
    DELETE FROM sign_in_devices WHERE provider_id = NEW.provider_id AND user_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER user_signed_out AFTER UPDATE OF password_hash, disabled_at, deleted_at ON users FOR EACH ROW
  WHEN (NEW.password_hash IS DISTINCT FROM OLD.password_hash
    OR NEW.disabled_at IS NOT NULL AND OLD.disabled_at IS NULL OR NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL)
  EXECUTE FUNCTION end_sessions_of_user();
--> statement-breakpoint
-- Wrong passwords in a while that begins at since, counted by name and network, by name, by network, and by known browser. Names that
-- do not exist are counted in the same way. What was counted by name alone is over within ten minutes.
DROP TABLE sign_in_tries;
--> statement-breakpoint
CREATE TABLE sign_in_attempts (
  provider_id integer NOT NULL,
  kind text NOT NULL,
  key text NOT NULL,
  count integer NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (provider_id, kind, key)
);
--> statement-breakpoint
CREATE INDEX sign_in_attempts_since ON sign_in_attempts (since);
