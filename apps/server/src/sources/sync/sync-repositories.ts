import type { SourceRepository } from '@keepwatch/connectors/ports/backup-source';
import { dayOf } from '@keepwatch/contract/backup-days/backup-day';
import { sql } from 'drizzle-orm';
import { findBackupClock } from '../../backup-days/stored-clocks.ts';
import { type CompanyIds, companyIdsOf } from '../../connections/company-links.ts';
import { type Connection, execute } from '../../foundation/database.ts';
import { REPOSITORIES, REPOSITORY_DAYS } from '../../inventory/repositories.ts';
import { idFrom } from '../../runs/execution-id.ts';
import type { StoredSource } from '../stored-source.ts';
import { companyOrStored } from './company-or-stored.ts';
import { batchesOf, type RunningSync } from './running-sync.ts';

const BATCH_MAX = 500;

/** Stores the repositories of a source and their fill levels of today. Marks missing ones as removed. */
export async function readRepositories(sync: RunningSync): Promise<void> {
  const { services, source, backup, signal, report, run } = sync;
  const companyIds = await companyIdsOf(services.database, source);
  const failedBefore = report.failedCount;
  for await (const batch of batchesOf(sync, backup.listRepositories(signal), BATCH_MAX)) {
    await upsertRepositories(services.database, source, batch, companyIds, run.startedAt);
    report.count('repositories', batch.length);
  }
  if (report.failedCount > failedBefore) return;
  await execute(
    services.database,
    sql`update ${REPOSITORIES} set removed_at = ${run.startedAt} where provider_id = ${source.providerId} and source_id = ${source.id}
          and removed_at is null and read_at < ${run.startedAt}`,
  );
}

/** Upserts repositories of a source, with their fill levels on the backup day of `at`. */
export async function upsertRepositories(
  connection: Connection,
  source: Pick<StoredSource, 'providerId' | 'id'>,
  repositories: readonly SourceRepository[],
  companyIds: CompanyIds,
  at: Date,
): Promise<void> {
  const records = repositories.map(({ externalId, companyExternalId, ...repository }) => ({
    ...repository,
    id: idFrom('repository', source.id, externalId),
    externalId,
    companyId: companyExternalId === null ? null : (companyIds.get(companyExternalId) ?? null),
    isUnlinked: companyExternalId !== null && companyIds.get(companyExternalId) === null,
  }));
  const day = dayOf(await findBackupClock(connection, source.providerId), at.getTime());
  await execute(
    connection,
    sql`with given as (select * from json_to_recordset(${JSON.stringify(records)}::json) as k (id uuid, "externalId" text, "companyId" uuid, "isUnlinked" boolean, name text,
          kind text, "serverName" text, path text, status text, "capacityBytes" bigint, "freeBytes" bigint, "usedBytes" bigint)),
        stored as (
          insert into ${REPOSITORIES} (provider_id, source_id, id, external_id, company_id, name, kind, server_name, path, status, capacity_bytes,
            free_bytes, used_bytes, read_at)
          select ${source.providerId}, ${source.id}, id, "externalId", ${companyOrStored(REPOSITORIES, source)}, name, kind, "serverName", path, status, "capacityBytes", "freeBytes",
            "usedBytes", ${at}::timestamptz from given k
          on conflict (provider_id, source_id, external_id) do update set company_id = excluded.company_id,
            name = excluded.name, kind = excluded.kind, server_name = excluded.server_name, path = excluded.path, status = excluded.status,
            capacity_bytes = excluded.capacity_bytes, free_bytes = excluded.free_bytes, used_bytes = excluded.used_bytes,
            read_at = excluded.read_at, removed_at = null
          returning id, capacity_bytes, free_bytes, used_bytes)
        insert into ${REPOSITORY_DAYS} (provider_id, repository_id, day, capacity_bytes, free_bytes, used_bytes)
        select ${source.providerId}, id, ${day}::date, capacity_bytes, free_bytes, used_bytes from stored
        on conflict (provider_id, repository_id, day) do update set capacity_bytes = excluded.capacity_bytes, free_bytes = excluded.free_bytes,
          used_bytes = excluded.used_bytes`,
  );
}
