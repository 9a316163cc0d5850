-- When the directory last set the password of an account. Another one ends what the one before had opened, wherever it was set.
ALTER TABLE users ADD COLUMN directory_password_set_at timestamptz;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION end_sessions_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE provider_id = NEW.provider_id AND user_id = NEW.id;
  DELETE FROM sign_in_challenges WHERE provider_id = NEW.provider_id AND user_id = NEW.id;
  IF NEW.password_hash IS DISTINCT FROM OLD.password_hash
    OR NEW.directory_password_set_at IS DISTINCT FROM OLD.directory_password_set_at THEN
    DELETE FROM sign_in_devices WHERE provider_id = NEW.provider_id AND user_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER user_signed_out ON users;
--> statement-breakpoint
-- That an instant is known at all is no change of the password.
CREATE TRIGGER user_signed_out AFTER UPDATE OF password_hash, directory_password_set_at, disabled_at, deleted_at ON users FOR EACH ROW
  WHEN (NEW.password_hash IS DISTINCT FROM OLD.password_hash
    OR OLD.directory_password_set_at IS NOT NULL AND NEW.directory_password_set_at IS DISTINCT FROM OLD.directory_password_set_at
    OR NEW.disabled_at IS NOT NULL AND OLD.disabled_at IS NULL OR NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL)
  EXECUTE FUNCTION end_sessions_of_user();
