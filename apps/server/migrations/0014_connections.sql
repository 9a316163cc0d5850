-- Every outside system is a connection: its settings, its sealed secrets and whether it answers. A source that is synced has the
-- id of its connection, so that secrets sealed for that id still open; `sources` keeps what syncing needs. The intake of tools
-- is a source without a connection.
CREATE TABLE connections (
  provider_id integer NOT NULL REFERENCES providers,
  id uuid NOT NULL,
  port text NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  is_enabled boolean NOT NULL DEFAULT true,
  settings jsonb NOT NULL DEFAULT '{}',
  secrets bytea,
  -- As of the last test or use; null before the first.
  health text CHECK (health IN ('ok', 'failing')),
  health_since timestamptz,
  health_checked_at timestamptz,
  health_message text,
  created_at timestamptz NOT NULL DEFAULT now(),
  deleted_at timestamptz,
  PRIMARY KEY (provider_id, id)
);
--> statement-breakpoint
INSERT INTO connections (provider_id, id, port, kind, name, is_enabled, settings, secrets, created_at, deleted_at)
SELECT provider_id, id, 'backup-source', kind, name, is_enabled, settings, secrets, created_at, deleted_at FROM sources WHERE kind <> 'intake';
--> statement-breakpoint
ALTER TABLE sources DROP COLUMN settings, DROP COLUMN secrets;
--> statement-breakpoint
-- The ids of a company in outside systems.
CREATE TABLE company_links (
  provider_id integer NOT NULL,
  connection_id uuid NOT NULL,
  external_id text NOT NULL,
  company_id uuid NOT NULL,
  -- What the two systems have agreed on, in the words of the port; 'linked' where a console reports the company.
  state text NOT NULL DEFAULT 'linked',
  PRIMARY KEY (provider_id, connection_id, external_id),
  FOREIGN KEY (provider_id, connection_id) REFERENCES connections,
  FOREIGN KEY (provider_id, company_id) REFERENCES companies
);
--> statement-breakpoint
CREATE UNIQUE INDEX company_links_company ON company_links (provider_id, company_id, connection_id);
--> statement-breakpoint
CREATE INDEX company_links_external ON company_links (provider_id, external_id);
--> statement-breakpoint
-- A company belongs to the consoles of its kind that have a job of it, and otherwise to the one that is connected longest.
WITH ids AS (
  SELECT c.provider_id, c.id, k.kind, k.external_id
  FROM companies c CROSS JOIN LATERAL (VALUES ('vac', c.vac_id), ('vcd', c.vcd_id), ('zerto', c.zerto_id)) k (kind, external_id)
  WHERE k.external_id IS NOT NULL
), candidates AS (
  SELECT i.provider_id, i.id, i.external_id, n.id AS connection_id, n.deleted_at, n.created_at,
    EXISTS (SELECT FROM jobs j WHERE j.provider_id = i.provider_id AND j.source_id = n.id AND j.company_id = i.id) AS has_jobs
  FROM ids i JOIN connections n ON n.provider_id = i.provider_id AND n.kind = i.kind
), ranked AS (
  SELECT *, row_number() OVER (PARTITION BY provider_id, id, external_id
    ORDER BY has_jobs DESC, deleted_at IS NULL DESC, created_at, connection_id) AS place
  FROM candidates
)
INSERT INTO company_links (provider_id, connection_id, external_id, company_id)
SELECT provider_id, connection_id, external_id, id FROM ranked WHERE has_jobs OR place = 1
ON CONFLICT DO NOTHING;
--> statement-breakpoint
DROP INDEX companies_vac;
--> statement-breakpoint
ALTER TABLE companies DROP COLUMN vac_id, DROP COLUMN vcd_id, DROP COLUMN zerto_id;
