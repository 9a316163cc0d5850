import type { SourceComputer } from '@keepwatch/connectors/ports/backup-source';
import { sql } from 'drizzle-orm';
import { type CompanyIds, companyIdsOf } from '../../connections/company-links.ts';
import { type Connection, execute } from '../../foundation/database.ts';
import { COMPUTERS } from '../../inventory/computers.ts';
import { idFrom } from '../../runs/execution-id.ts';
import type { StoredSource } from '../stored-source.ts';
import { companyOrStored } from './company-or-stored.ts';
import { batchesOf, type RunningSync } from './running-sync.ts';

const BATCH_MAX = 1_000;

/** Stores the computers that a source has discovered. Users' notes about them remain. */
export async function readComputers(sync: RunningSync): Promise<void> {
  const { services, source, backup, signal, report, run } = sync;
  const companyIds = await companyIdsOf(services.database, source);
  const failedBefore = report.failedCount;
  const present: string[] = [];
  for await (const batch of batchesOf(sync, backup.listComputers(signal), BATCH_MAX)) {
    await upsertComputers(services.database, source, batch, companyIds);
    for (const computer of batch) present.push(computer.externalId);
    report.count('computers', batch.length);
  }
  if (report.failedCount > failedBefore) return;
  await execute(
    services.database,
    sql`update ${COMPUTERS} c set removed_at = ${run.startedAt} where c.provider_id = ${source.providerId} and c.source_id = ${source.id}
          and c.removed_at is null and not exists (select from unnest(${sql.param(present)}::text[]) as p (id) where p.id = c.external_id)`,
  );
}

async function upsertComputers(
  connection: Connection,
  source: StoredSource,
  computers: readonly SourceComputer[],
  companyIds: CompanyIds,
): Promise<void> {
  const records = computers.map(({ externalId, companyExternalId, ...computer }) => ({
    ...computer,
    id: idFrom('computer', source.id, externalId),
    externalId,
    companyId: companyExternalId === null ? null : (companyIds.get(companyExternalId) ?? null),
    isUnlinked: companyExternalId !== null && companyIds.get(companyExternalId) === null,
  }));
  await execute(
    connection,
    sql`insert into ${COMPUTERS} as c (provider_id, source_id, id, external_id, company_id, host_name, fqdn, operating_system, platform, ip_addresses,
          status, agent_installation_status, agent_management_status, last_seen_at)
        select ${source.providerId}, ${source.id}, id, "externalId", ${companyOrStored(COMPUTERS, source)}, "hostName", fqdn, "operatingSystem", platform, "ipAddresses",
          status, "agentInstallationStatus", "agentManagementStatus", "lastSeenAt"
        from json_to_recordset(${JSON.stringify(records)}::json) as k (id uuid, "externalId" text, "companyId" uuid, "isUnlinked" boolean, "hostName" text, fqdn text,
          "operatingSystem" text, platform text, "ipAddresses" text[], status text, "agentInstallationStatus" text,
          "agentManagementStatus" text, "lastSeenAt" timestamptz)
        on conflict (provider_id, source_id, external_id) do update set company_id = excluded.company_id,
          host_name = excluded.host_name, fqdn = excluded.fqdn, operating_system = excluded.operating_system, platform = excluded.platform,
          ip_addresses = excluded.ip_addresses, status = excluded.status, agent_installation_status = excluded.agent_installation_status,
          agent_management_status = excluded.agent_management_status, last_seen_at = excluded.last_seen_at, removed_at = null`,
  );
}
