import { statfs } from 'node:fs/promises';
import { reasonOf } from '../../foundation/errors.ts';
import type { Microsoft365Services } from '../microsoft365-services.ts';
import { countPoints } from './count-points.ts';
import { GROWTH_DAYS, growthPerDay } from './growth.ts';
import { openStored } from './open-stored.ts';
import { listUnmeasured, type SealedRepository, storeMeasure } from './repositories.ts';

const EVERY_MS = 60 * 60_000;
const AT_ONCE = 100;

type MeasureServices = Pick<Microsoft365Services, 'database' | 'secrets' | 'stored' | 'log' | 'now'>;

/** Measures repositories that were not measured for an hour, or since a run, verify or prune ended: restore points, bytes in the store, and what is free in a folder. One that fails is tried again later. */
export async function measureRepositories(services: MeasureServices, signal: AbortSignal): Promise<void> {
  const now = services.now();
  const due = await listUnmeasured(services.database, new Date(now.getTime() - EVERY_MS), AT_ONCE);
  for (const repository of due) {
    if (signal.aborted) return;
    await measureRepository(services, repository, signal);
  }
}

/** Measures one repository now. */
export async function measureRepository(
  services: MeasureServices,
  repository: SealedRepository,
  signal: AbortSignal,
): Promise<void> {
  await countPoints(services, repository).catch((error: unknown) =>
    services.log.warn({ repository: repository.id, reason: reasonOf(error) }, 'what a repository has was not counted'),
  );
  const measured = { ...(await storedIn(services, repository, signal)), freeBytes: await freeBytes(repository) };
  await storeMeasure(
    services.database,
    { providerId: repository.providerId, id: repository.id },
    measured,
    services.now(),
  );
}

async function storedIn(services: MeasureServices, { providerId, id }: SealedRepository, signal: AbortSignal) {
  try {
    const { catalog } = await openStored(services, providerId, id);
    const to = services.now();
    const days = await catalog.growth({ from: new Date(to.getTime() - GROWTH_DAYS * 24 * EVERY_MS), to });
    return { usedBytes: (await catalog.usage(undefined, signal)).storedBytes, growthBytes: growthPerDay(days, to) };
  } catch (error) {
    services.log.warn({ repository: id, reason: reasonOf(error) }, 'a repository could not be measured');
    return { usedBytes: null, growthBytes: null };
  }
}

/** Of a folder that this machine has; a bucket has no end. */
async function freeBytes({ place }: SealedRepository): Promise<number | null> {
  if (place.kind !== 'folder') return null;
  const found = await statfs(place.place).catch(() => null);
  return found === null ? null : found.bavail * found.bsize;
}
