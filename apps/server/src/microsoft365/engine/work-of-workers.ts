import { type SQL, sql } from 'drizzle-orm';

/**
 * Whether the workers of this portal do the work of a row with `provider_id` and `organization_id`. Jobs, runs and repositories of an organization with
 * another engine are copies of what that engine has: workers do not run, measure, prove or count them.
 */
export function isOfWorkers(alias: string): SQL {
  const table = sql.identifier(alias);
  return sql`exists (select from m365_organizations e
    where e.provider_id = ${table}.provider_id and e.id = ${table}.organization_id and e.engine = 'built-in')`;
}
