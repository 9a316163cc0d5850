import { type createHint, HINTS_MAX, type Hint, type listHints, phrasesOf } from '@keepwatch/contract/watch/hints';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import { containing, orderOf } from '../foundation/conditions.ts';
import { type Connection, row } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { newId } from '../foundation/secrets.ts';

const COLUMNS = sql`h.id as "_id", h.title, h.text, h.words, h.result, h.source_groups as "sourceGroups", h.job_types as "jobTypes",
  h.is_active as "isActive", h.updated_at as "updatedAt"`;

const SORTS: Readonly<Record<SortOf<typeof listHints>, SQL>> = {
  title: sql`lower(h.title)`,
  updatedAt: sql`h.updated_at`,
};

/** Lists the hints of the provider; a search finds them by title, text and words. */
export function readHints(
  connection: Connection,
  { providerId }: Scope,
  { search = '', sort = 'title', limit, offset }: CallInput<typeof listHints>['query'],
): Promise<Page<Hint>> {
  const pattern = containing(search);
  const found = sql`hints h where h.provider_id = ${providerId}
    and (h.title ilike ${pattern} or h.text ilike ${pattern} or h.words ilike ${pattern})`;
  return readPage(
    connection,
    sql`select ${COLUMNS} from ${found} order by ${orderOf(SORTS, sort)}, h.id limit ${limit} offset ${offset}`,
    sql`select count(*) as count from ${found}`,
  );
}

type HintFields = CallInput<typeof createHint>['body'];

/** Adds a hint; `null` where the provider has as many as it can have. */
export function insertHint(
  connection: Connection,
  { providerId }: Scope,
  { title, text, words, result = null, sourceGroups, jobTypes, isActive }: HintFields,
  at: Date,
): Promise<Hint | null> {
  return row(
    connection,
    sql`insert into hints as h (provider_id, id, title, text, words, phrases, result, source_groups, job_types, is_active, updated_at)
        select ${providerId}, ${newId()}, ${title}, ${text}, ${words}, ${sql.param(phrasesOf(words))}, ${result}, ${sql.param(sourceGroups)},
          ${sql.param(jobTypes)}, ${isActive}, ${at}
        where (select count(*) from hints o where o.provider_id = ${providerId}) < ${HINTS_MAX} returning ${COLUMNS}`,
  );
}
