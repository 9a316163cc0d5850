import { type createHint, HINTS_MAX, type Hint, type listHints, phrasesOf } from '@keepwatch/contract/watch/hints';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { lockProvider } from '../branding/brands.ts';
import { containing, orderOf } from '../foundation/conditions.ts';
import { type Connection, row } from '../foundation/database.ts';
import { type Page, readCount, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { newId } from '../foundation/secrets.ts';
import { insert, remove, update } from '../foundation/table-writes.ts';
import { hints } from './tables.ts';

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

/** Adds a hint; `null` where the provider has as many as it can have. Needs a transaction: hints are added one after the other. */
export async function insertHint(
  connection: Connection,
  scope: Scope,
  fields: HintFields,
  at: Date,
): Promise<Hint | null> {
  const { providerId } = scope;
  await lockProvider(connection, providerId);
  const count = await readCount(connection, sql`select count(*) as count from hints where provider_id = ${providerId}`);
  if (count >= HINTS_MAX) return null;
  const id = newId();
  await insert(connection, hints, { providerId, id, ...columnsOf(fields), updatedAt: at });
  return findHint(connection, scope, id);
}

function columnsOf({ title, text, words, result, sourceGroups, jobTypes, isActive }: HintFields) {
  return { title, text, words, phrases: phrasesOf(words), result: result ?? null, sourceGroups, jobTypes, isActive };
}

/** Reads one hint and locks it until the end of the transaction; `null` if the provider has no such hint. */
export function findHint(connection: Connection, { providerId }: Scope, id: string): Promise<Hint | null> {
  return row(
    connection,
    sql`select ${COLUMNS} from hints h where h.provider_id = ${providerId} and h.id = ${id} for update`,
  );
}

/** Replaces what a hint says and for which runs. */
export async function updateHint(
  connection: Connection,
  scope: Scope,
  { id, at, ...fields }: HintFields & { id: string; at: Date },
): Promise<Hint | null> {
  await update(connection, hints, { ...columnsOf(fields), updatedAt: at }, { providerId: scope.providerId, id });
  return findHint(connection, scope, id);
}

export function removeHint(connection: Connection, { providerId }: Scope, id: string): Promise<number> {
  return remove(connection, hints, { providerId, id });
}
