import type { ListedObject, Stored } from '@keepwatch/engine/engine';
import { reasonOf } from '../../foundation/errors.ts';
import { publish } from '../../foundation/events.ts';
import type { Microsoft365Services } from '../microsoft365-services.ts';
import { openStored } from '../repositories/open-stored.ts';
import { partOf } from './counted-part.ts';
import { forgetUnseen, storeObjects } from './store-objects.ts';
import { storeUsers } from './store-users.ts';
import { countAgainAt, listUncounted, type UncountedRun } from './uncounted-runs.ts';

type CountServices = Pick<Microsoft365Services, 'database' | 'secrets' | 'stored' | 'log' | 'now'>;

const AGAIN_MS = 10 * 60_000;
const OBJECTS_A_PAGE = 1_000;

/** Counts the users of new restore points, and notes of each object when it was last complete; the oldest restore point first. One whose repository cannot be read is tried again later, and stops none of the others. */
export async function countUsers(services: CountServices, signal: AbortSignal): Promise<void> {
  for (const run of await listUncounted(services.database, services.now())) {
    if (signal.aborted) return;
    await countRun(services, run, signal).catch(async (error: unknown) => {
      if (signal.aborted) return;
      services.log.warn({ session: run.id, reason: reasonOf(error) }, 'the users of a restore point were not counted');
      await countAgainAt(services.database, run, new Date(services.now().getTime() + AGAIN_MS));
    });
  }
}

async function countRun(services: CountServices, run: UncountedRun, signal: AbortSignal): Promise<void> {
  const stored = await openStored(services, run.providerId, run.repositoryId);
  const point = await stored.catalog.restorePoint(run.restorePoint);
  const flags = new Map(Object.entries(point?.findings.objects ?? {}));
  for await (const objects of objectPages(stored, run.restorePoint)) {
    signal.throwIfAborted();
    const parts = objects.flatMap((object) => partOf(object) ?? []);
    await storeObjects(services.database, run, objects, flags);
    if (parts.length > 0) await storeUsers(services.database, stored.catalog, run, parts, signal);
  }
  if (point !== null) await forgetUnseen(services.database, run);
  await countAgainAt(services.database, run, null);
  await publish(services.database, { name: 'm365-jobs.changed', providerId: run.providerId });
}

async function* objectPages({ catalog }: Stored, restorePoint: string): AsyncGenerator<readonly ListedObject[]> {
  const query = { restorePoints: [restorePoint], limit: OBJECTS_A_PAGE };
  for (let after: string | null | undefined; after !== null; ) {
    const page: { rows: ListedObject[]; next: string | null } = await catalog.findObjects(
      after === undefined ? query : { ...query, after },
    );
    yield page.rows;
    after = page.next;
  }
}
