-- Restore operator roles: what of an organization some users may look into and restore.
CREATE TABLE restore_roles (
  provider_id integer NOT NULL,
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  role_type text NOT NULL CHECK (role_type IN ('EntireOrganization', 'SpecificObjects')),
  -- Users of the portal.
  operator_ids uuid[] NOT NULL,
  -- Objects at Microsoft: type, id and the name for people.
  selected jsonb NOT NULL,
  excluded jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (provider_id, id),
  FOREIGN KEY (provider_id, organization_id) REFERENCES m365_organizations ON DELETE CASCADE
);
--> statement-breakpoint
CREATE UNIQUE INDEX restore_roles_name ON restore_roles (provider_id, organization_id, lower(name));
--> statement-breakpoint
CREATE INDEX restore_roles_operators ON restore_roles USING gin (operator_ids);
