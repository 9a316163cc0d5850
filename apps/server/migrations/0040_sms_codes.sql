-- Phones to which codes are sent at the sign-in, one of a user. A number is here only once a code that was sent to it has come back.
CREATE TABLE phones (
  provider_id integer NOT NULL,
  user_id uuid NOT NULL,
  number text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  PRIMARY KEY (provider_id, user_id),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE
);
--> statement-breakpoint
-- Messages with codes: what each is for, how often a code of it was tried, and whether it counted. The codes themselves are made and checked by
-- the service that sends them, which calls each by its verification. Messages of a day are counted here.
CREATE TABLE sms_codes (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  purpose text NOT NULL,
  number text NOT NULL,
  verification text,
  sent_at timestamptz NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  used_at timestamptz,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX sms_codes_sent ON sms_codes (provider_id, sent_at);
--> statement-breakpoint
CREATE INDEX sms_codes_user ON sms_codes (provider_id, user_id, sent_at);
