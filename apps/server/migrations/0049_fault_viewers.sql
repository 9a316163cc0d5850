-- Which fault a user has open. It locks nothing, and counts for a minute: the browser says it again while the fault is open.
CREATE TABLE fault_viewers (
  provider_id integer NOT NULL REFERENCES providers,
  user_id uuid NOT NULL,
  username text NOT NULL,
  fault_id uuid NOT NULL,
  since timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, user_id)
);
