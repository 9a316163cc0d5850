import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../foundation/database.ts';
import { type Subscriber, subscribe } from '../foundation/outbox/domain-events.ts';
import { objectsErased } from '../microsoft365/erasures/erasure-events.ts';

/** What the restore portal does at events of lower capabilities. */
export const restoreSubscribers: readonly Subscriber[] = [
  subscribe(objectsErased, 'forget what was erased', async (connection, { providerId, id }, { keys }) => {
    const erased = { providerId, repositoryId: id, keys };
    await forgetItems(connection, erased);
    await endDownloads(connection, erased);
  }),
];

interface Erased {
  providerId: number;
  repositoryId: string;
  keys: readonly string[];
}

/** Takes names of erased items out of restores and plans. That and what was restored, for whom, stays: the record of who did it. */
async function forgetItems(connection: Connection, { providerId, repositoryId, keys }: Erased): Promise<void> {
  await execute(
    connection,
    sql`delete from restore_operation_items i using restore_operations p,
          jsonb_array_elements(p.restore_order->'parts') with ordinality e (part, place)
        where p.provider_id = ${providerId} and i.provider_id = p.provider_id and i.operation_id = p.id and i.part = e.place - 1
          and e.part->'scope'->>'repositoryId' = ${repositoryId} and e.part->'scope'->>'object' = any(${sql.param(keys)}::text[])`,
  );
}

/** Files of erased contents go with the next tidying; those that are being made are not made to their end. */
async function endDownloads(connection: Connection, { providerId, repositoryId, keys }: Erased): Promise<void> {
  const ofErased = sql`d.provider_id = ${providerId} and d.download_order->'scope'->>'repositoryId' = ${repositoryId}
    and d.download_order->'scope'->>'object' = any(${sql.param(keys)}::text[])`;
  await execute(
    connection,
    sql`update restore_downloads d set expires_at = now() where d.state = 'finished' and ${ofErased}`,
  );
  await execute(
    connection,
    sql`update restore_downloads d set cancel_asked_at = now(), state = 'cancelled', finished_at = now(), message = ${ERASED}
        where d.state in ('queued', 'running') and ${ofErased}`,
  );
}

const ERASED = 'What was to be in this file was erased from the backups.';
