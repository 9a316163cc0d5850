-- What users ask of the support, while the mails about it are on their way.
CREATE TABLE support_requests (
  provider_id integer NOT NULL REFERENCES providers,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  subject text NOT NULL,
  message text NOT NULL,
  page text,
  browser text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, id)
);
--> statement-breakpoint
CREATE INDEX support_requests_by_user ON support_requests (provider_id, user_id, created_at);
--> statement-breakpoint
-- What the chat of a brand checks identity tokens with, sealed.
ALTER TABLE providers ADD COLUMN chat_secret bytea;
