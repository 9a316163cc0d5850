import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { sources } from './tables.ts';

/** The sources: declared here, as the status of a job depends on how far its source was read; the capability `sources` writes them. */
export const SOURCES = sources;

/** Names a source in the users logs. */
export const nameOfSource: NameOfTarget = (scope, id) =>
  sql`select t.name from sources t where t.provider_id = ${scope.providerId} and t.id = ${id}`;

/** The kind of the source of a provider's own Microsoft 365 backups. */
export const MICROSOFT_365_KIND = 'microsoft365';

/** The runs of the source (alias `s`) are reported as they begin and end: it has no connection and is never synced. */
export const REPORTS_ITSELF: SQL = sql`s.kind in ('intake', ${sql.raw(`'${MICROSOFT_365_KIND}'`)})`;

/**
 * Returns up to when the runs of a source (alias `s`) are known: up to where its history was read or, for one that
 * reports its own runs, up to now. `null` for a source that was never read.
 */
export function knownUntil(now: Date): SQL {
  return sql`(case when ${REPORTS_ITSELF} or s.history_read_to > ${now}::timestamptz then ${now}::timestamptz else s.history_read_to end)`;
}
