import { type createHint, HINTS_MAX, type Hint, type listHints, phrasesOf } from '@keepwatch/contract/watch/hints';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { containing, orderOf } from '../foundation/conditions.ts';
import { type Connection, execute, row } from '../foundation/database.ts';
import { type Page, readCount, readPage } from '../foundation/page.ts';
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

/** Names a hint in the users logs. */
export const nameOfHint: NameOfTarget = (scope, id) =>
  sql`select t.title from hints t where t.provider_id = ${scope.providerId} and t.id = ${id}`;

type HintFields = CallInput<typeof createHint>['body'];

/** Adds a hint; `null` where the provider has as many as it can have. */
export async function insertHint(
  connection: Connection,
  { providerId }: Scope,
  { title, text, words, result, sourceGroups, jobTypes, isActive }: HintFields,
  at: Date,
): Promise<Hint | null> {
  const count = await readCount(connection, sql`select count(*) as count from hints where provider_id = ${providerId}`);
  if (count >= HINTS_MAX) return null;
  return row(
    connection,
    sql`insert into hints as h (provider_id, id, title, text, words, phrases, result, source_groups, job_types, is_active, updated_at)
        values (${providerId}, ${newId()}, ${title}, ${text}, ${words}, ${sql.param(phrasesOf(words))}, ${result ?? null},
          ${sql.param(sourceGroups)}, ${sql.param(jobTypes)}, ${isActive}, ${at})
        returning ${COLUMNS}`,
  );
}

/** Reads one hint and locks it until the end of the transaction; `null` if the provider has no such hint. */
export function findHint(connection: Connection, { providerId }: Scope, id: string): Promise<Hint | null> {
  return row(
    connection,
    sql`select ${COLUMNS} from hints h where h.provider_id = ${providerId} and h.id = ${id} for update`,
  );
}

/** Replaces what a hint says and for which runs. */
export function updateHint(
  connection: Connection,
  { providerId }: Scope,
  { id, at, ...fields }: HintFields & { id: string; at: Date },
): Promise<Hint | null> {
  const { title, text, words, result, sourceGroups, jobTypes, isActive } = fields;
  return row(
    connection,
    sql`update hints h set title = ${title}, text = ${text}, words = ${words}, phrases = ${sql.param(phrasesOf(words))}, result = ${result ?? null},
          source_groups = ${sql.param(sourceGroups)}, job_types = ${sql.param(jobTypes)}, is_active = ${isActive}, updated_at = ${at}
        where h.provider_id = ${providerId} and h.id = ${id} returning ${COLUMNS}`,
  );
}

export function removeHint(connection: Connection, { providerId }: Scope, id: string): Promise<number> {
  return execute(connection, sql`delete from hints h where h.provider_id = ${providerId} and h.id = ${id}`);
}
