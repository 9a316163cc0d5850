-- What technicians should know of a customer. A note is added and removed, and never changed.
CREATE TABLE company_notes (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  user_id uuid NOT NULL,
  username text NOT NULL,
  at timestamptz NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, company_id) REFERENCES companies ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX company_notes_newest ON company_notes (provider_id, company_id, at DESC, id);
--> statement-breakpoint
-- Whom to call at a customer.
CREATE TABLE company_contacts (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  name text NOT NULL,
  role text,
  email text,
  phone text,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, company_id) REFERENCES companies ON DELETE CASCADE
);
--> statement-breakpoint
CREATE INDEX company_contacts_name ON company_contacts (provider_id, company_id, lower(name), id);
