import type { BackupSource, SourceRepository } from '@keepwatch/connectors/ports/backup-source';
import { sql } from 'drizzle-orm';
import { companyIdsOf } from '../connections/company-links.ts';
import { type Pool, rows } from '../foundation/database.ts';
import { REPOSITORIES, REPOSITORY_DAYS } from '../inventory/repositories.ts';
import { FORECAST_DAYS } from '../inventory/repository-forecast.ts';
import type { StoredSource } from '../sources/stored-source.ts';
import { upsertRepositories } from '../sources/sync/sync-repositories.ts';

const DAY_MS = 86_400_000;
const LIMIT_MS = 60_000;

type Source = Pick<StoredSource, 'providerId' | 'id' | 'kind'>;

/** A console that answers as of the instant that its clock shows. */
export interface PastConsole {
  source: Pick<BackupSource, 'listRepositories'>;
  close(): Promise<void>;
}

/**
 * Stores how full the demonstration's repositories were on those of the last 30 days on which they were not read. A console
 * reports no past, and a forecast needs some: without it, people would see the first forecast after days. Days that were
 * read stay as they are; the last reading is of `now`, so that the repositories are left as they are today.
 */
export async function ensurePastRepositories(
  database: Pool,
  source: Source,
  now: Date,
  open: (clock: () => Date) => Promise<PastConsole>,
): Promise<void> {
  const daysAgo = await daysWithoutReading(database, source, now);
  if (daysAgo.length === 0) return;
  let at = now;
  const console = await open(() => at);
  try {
    const companyIds = await companyIdsOf(database, source);
    for (const days of [...daysAgo, 0]) {
      at = new Date(now.getTime() - days * DAY_MS);
      await upsertRepositories(database, source, await repositoriesOf(console), companyIds, at);
    }
  } finally {
    await console.close();
  }
}

/** What of them cannot be read is named by the first sync, which reads the same. */
async function repositoriesOf({ source }: PastConsole): Promise<SourceRepository[]> {
  const repositories: SourceRepository[] = [];
  for await (const read of source.listRepositories(AbortSignal.timeout(LIMIT_MS)))
    if ('value' in read) repositories.push(read.value);
  return repositories;
}

/** Returns the days before today (UTC) that have no reading, as how many days ago they were, oldest first. */
async function daysWithoutReading(database: Pool, { providerId, id }: Source, now: Date): Promise<number[]> {
  const found = await rows<{ ago: number }>(
    database,
    sql`select ago from generate_series(1, ${FORECAST_DAYS - 1}::int) ago where not exists (
          select from ${REPOSITORIES} r join ${REPOSITORY_DAYS} y on y.provider_id = r.provider_id and y.repository_id = r.id
          where r.provider_id = ${providerId} and r.source_id = ${id} and y.day = (${now}::timestamptz at time zone 'UTC')::date - ago)
        order by ago desc`,
  );
  return found.map(({ ago }) => ago);
}
