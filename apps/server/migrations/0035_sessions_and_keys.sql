-- What users see of their own sessions.
ALTER TABLE sessions ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid();
--> statement-breakpoint
ALTER TABLE sessions ADD COLUMN device text;
--> statement-breakpoint
ALTER TABLE sessions ADD COLUMN last_at timestamptz NOT NULL DEFAULT now();
--> statement-breakpoint
UPDATE sessions SET last_at = created_at;
--> statement-breakpoint
-- The session of the administrator who acts as the user of this one, which ends with it.
ALTER TABLE sessions ADD COLUMN parent_hash bytea REFERENCES sessions ON DELETE CASCADE;
--> statement-breakpoint
CREATE INDEX sessions_parent ON sessions (parent_hash) WHERE parent_hash IS NOT NULL;
--> statement-breakpoint
-- An administrator no longer acts as a user once either of them may do something else than when that began.
CREATE FUNCTION end_impersonations(of_provider integer, of_user uuid) RETURNS void LANGUAGE sql AS $$
  DELETE FROM sessions s WHERE s.provider_id = of_provider AND s.parent_hash IS NOT NULL AND (s.user_id = of_user
    OR s.parent_hash IN (SELECT p.token_hash FROM sessions p WHERE p.provider_id = of_provider AND p.user_id = of_user));
$$;
--> statement-breakpoint
CREATE FUNCTION end_impersonations_of_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(coalesce(NEW, OLD));
BEGIN
  PERFORM end_impersonations((changed->>'provider_id')::integer, coalesce(changed->>'user_id', changed->>'id')::uuid);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER user_roles_changed AFTER UPDATE OF roles, sub_provider_id ON users FOR EACH ROW
  WHEN (NEW.roles IS DISTINCT FROM OLD.roles OR NEW.sub_provider_id IS DISTINCT FROM OLD.sub_provider_id)
  EXECUTE FUNCTION end_impersonations_of_row();
--> statement-breakpoint
CREATE TRIGGER user_companies_changed AFTER INSERT OR DELETE ON user_companies FOR EACH ROW EXECUTE FUNCTION end_impersonations_of_row();
--> statement-breakpoint
-- Keys with which programs of a user call the portal.
CREATE TABLE api_keys (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  name text NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  abilities text[] NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  last_at timestamptz,
  last_address text,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX api_keys_user ON api_keys (provider_id, user_id);
--> statement-breakpoint
-- As sessions, keys do not come back with a user who is enabled again.
CREATE FUNCTION end_keys_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM api_keys WHERE provider_id = NEW.provider_id AND user_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER user_keys_ended AFTER UPDATE OF disabled_at, deleted_at ON users FOR EACH ROW
  WHEN (NEW.disabled_at IS NOT NULL AND OLD.disabled_at IS NULL OR NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL)
  EXECUTE FUNCTION end_keys_of_user();
--> statement-breakpoint
-- user_id is who did it; as_user_id as whom, where an administrator acted as another user.
ALTER TABLE audit_entries ADD COLUMN as_username text;
--> statement-breakpoint
ALTER TABLE audit_entries ADD COLUMN api_key text;
--> statement-breakpoint
CREATE INDEX audit_entries_as_user ON audit_entries (provider_id, as_user_id, at) WHERE as_user_id IS NOT NULL;
