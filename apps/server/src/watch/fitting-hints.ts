import type { JobExecution, RunHint } from '@keepwatch/contract/executions/job-executions';
import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../foundation/database.ts';
import type { Scope } from '../foundation/scope.ts';
import { fits } from './hint-condition.ts';

/** More would be skipped. */
const SHOWN = 3;

/** Each part of a condition, and each of its words, makes it more specific. */
const PARTS = sql`cardinality(h.phrases) + num_nonnulls(h.result, nullif(h.source_groups, '{}'), nullif(h.job_types, '{}'))`;

/** Reads the active hints of the provider that fit a run, the most specific first. */
export function readHintsOf(connection: Connection, { providerId }: Scope, run: JobExecution): Promise<RunHint[]> {
  const isFitting = fits(
    {
      message: sql`${run.message}::text`,
      result: sql`${run.result}::text`,
      sourceGroup: sql`${run.sourceGroup}::text`,
      jobType: sql`${run.jobType}::text`,
    },
    {
      phrases: sql`h.phrases`,
      result: sql`h.result::text`,
      sourceGroups: sql`h.source_groups`,
      jobTypes: sql`h.job_types`,
    },
  );
  return rows(
    connection,
    sql`select h.id as "_id", h.title, h.text from hints h where h.provider_id = ${providerId} and h.is_active and ${isFitting}
        order by ${PARTS} desc, length(h.words) desc, lower(h.title), h.id limit ${SHOWN}`,
  );
}
