import { sql } from 'drizzle-orm';
import { type Connection, execute, row } from '../../foundation/database.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { OperationKey } from './operations.ts';

/** What becomes, or became, of one item. */
export interface OperationItem {
  itemId: string;
  kind: string;
  name: string;
  path: string;
  outcome: 'create' | 'keep-both' | 'replace' | 'skipped' | 'failed' | 'incomplete' | 'changed';
  reason: string;
}

/** As many items of an operation are named. */
export const ITEMS_MAX = 10_000;

/** Stores items; one that is there from an attempt before becomes what it is now. */
export async function storeItems(
  connection: Connection,
  { providerId, id }: OperationKey,
  items: readonly OperationItem[],
): Promise<void> {
  // One statement must not touch a row twice.
  const last = [...new Map(items.map((item) => [item.itemId, item])).values()];
  if (last.length === 0) return;
  await execute(
    connection,
    sql`insert into restore_operation_items (provider_id, operation_id, item_id, kind, name, path, outcome, reason)
        select ${providerId}, ${id}, item_id, kind, name, path, outcome, reason
        from jsonb_to_recordset(${JSON.stringify(last.map(rowOf))}::jsonb)
          as item(item_id text, kind text, name text, path text, outcome text, reason text)
        on conflict (provider_id, operation_id, item_id) do update
          set outcome = excluded.outcome, reason = excluded.reason, kind = excluded.kind, name = excluded.name, path = excluded.path`,
  );
}

/** PostgreSQL stores no NUL and no half of a character. */
const storable = (text: string) => text.replaceAll('\0', ' ').toWellFormed();

function rowOf({ itemId, kind, name, path, outcome, reason }: OperationItem) {
  return {
    item_id: storable(itemId),
    kind,
    name: storable(name),
    path: storable(path),
    outcome,
    reason: storable(reason),
  };
}

/** The line of the item that was stored last; 0 where there is none. */
export async function lastLineOf(connection: Connection, { providerId, id }: OperationKey): Promise<number> {
  const found = await row<{ line: number }>(
    connection,
    sql`select coalesce(max(line), 0)::int as line from restore_operation_items where provider_id = ${providerId} and operation_id = ${id}`,
  );
  return found?.line ?? 0;
}

/** Forgets failures of earlier attempts of a part whose items have come back since. @param after the last line of the parts before it */
export async function dropMendedItems(
  connection: Connection,
  { providerId, id }: OperationKey,
  after: number,
  failed: readonly string[],
): Promise<void> {
  await execute(
    connection,
    sql`delete from restore_operation_items where provider_id = ${providerId} and operation_id = ${id} and outcome = 'failed'
        and line > ${after} and item_id <> all(${sql.param(failed.map(storable))}::text[])`,
  );
}

/** Items of an operation, in the order in which they were met. */
export function listItems(
  connection: Connection,
  { providerId, id }: OperationKey,
  { outcome, limit, offset }: { outcome?: string | undefined; limit: number; offset: number },
): Promise<Page<OperationItem>> {
  const where = sql`provider_id = ${providerId} and operation_id = ${id} and (${outcome ?? null}::text is null or outcome = ${outcome ?? null})`;
  return readPage(
    connection,
    sql`select item_id as "itemId", kind, name, path, outcome, reason from restore_operation_items where ${where} order by line limit ${limit} offset ${offset}`,
    sql`select count(*) from restore_operation_items where ${where}`,
  );
}
