-- The id of an account in the directory of its provider, which outlives its name. Such a user has no password here.
ALTER TABLE users ADD COLUMN directory_account uuid;
--> statement-breakpoint
CREATE UNIQUE INDEX users_directory_account ON users (provider_id, directory_account) WHERE deleted_at IS NULL;
--> statement-breakpoint
-- Questions that a user chose, and the hash of all the answers together: no answer can be guessed without the others.
CREATE TABLE secret_questions (
  provider_id integer NOT NULL,
  user_id uuid NOT NULL,
  questions text[] NOT NULL,
  answers_hash text NOT NULL,
  PRIMARY KEY (provider_id, user_id),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE
);
