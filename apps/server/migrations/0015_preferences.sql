-- What the portal stores for a user beside the profile: a value under a key.
CREATE TABLE preferences (
  provider_id integer NOT NULL,
  user_id uuid NOT NULL,
  key text NOT NULL,
  value jsonb NOT NULL,
  PRIMARY KEY (provider_id, user_id, key),
  FOREIGN KEY (provider_id, user_id) REFERENCES users ON DELETE CASCADE
);
--> statement-breakpoint
-- The filters of the daily checks were a column of the user. A preference has them as the address says them: lists of texts, without
-- what is as at first.
INSERT INTO preferences (provider_id, user_id, key, value)
SELECT u.provider_id, u.id, 'daily-checks.filters', (
  SELECT jsonb_object_agg(said.name, said.texts)
  FROM (VALUES
    ('date', CASE WHEN f.value->>'dateFilter' <> 'Last 2 Days' THEN jsonb_build_array(f.value->'dateFilter') END),
    ('company', nullif(f.value->'companyIds', '[]')),
    ('source', nullif(f.value->'sourceFilter', '[]')),
    ('result', nullif(f.value->'filterType', '[]')),
    ('state', jsonb_build_array(f.value->'stateFilter')),
    ('ignored', CASE WHEN f.value->>'ignoredFilter' = 'true' THEN '["true"]'::jsonb END),
    ('anomaly', CASE WHEN f.value->>'anomalyFilter' = 'false' THEN '["false"]'::jsonb END),
    ('latest', CASE WHEN f.value->>'latestFilter' = 'true' THEN '["true"]'::jsonb END),
    ('managed', CASE f.value->>'managedFilter' WHEN 'true' THEN '["yes"]'::jsonb WHEN 'false' THEN '["no"]'::jsonb END)
  ) AS said (name, texts)
  WHERE said.texts IS NOT NULL)
FROM users u CROSS JOIN LATERAL (SELECT u.filters AS value) f
WHERE u.filters IS NOT NULL;
--> statement-breakpoint
ALTER TABLE users DROP COLUMN filters;
