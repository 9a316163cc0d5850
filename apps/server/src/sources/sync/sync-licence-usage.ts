import type { SourceLicenceUsage } from '@keepwatch/connectors/ports/backup-source';
import { sql } from 'drizzle-orm';
import { type CompanyIds, companyIdsOf } from '../../connections/company-links.ts';
import { type Connection, execute } from '../../foundation/database.ts';
import { LICENCE_USAGE } from '../../inventory/licence-usage.ts';
import type { StoredSource } from '../stored-source.ts';
import { batchesOf, type RunningSync } from './running-sync.ts';

const BATCH_MAX = 1_000;

/** Stores each company's licence usage of the current month (UTC). The last reading of a month is final. */
export async function readLicenceUsage(sync: RunningSync): Promise<void> {
  const { services, source, backup, signal, report, run } = sync;
  const companyIds = await companyIdsOf(services.database, source);
  for await (const batch of batchesOf(sync, backup.listLicenceUsage(signal), BATCH_MAX)) {
    const known = batch.filter((usage) => companyIds.get(usage.companyExternalId) != null);
    for (const usage of batch) {
      // What a user has unlinked belongs to no company on purpose.
      if (companyIds.has(usage.companyExternalId)) continue;
      const reason = 'its company is not known';
      report.fail({ entity: 'licence usage', externalId: usage.companyExternalId, reason });
    }
    await storeLicenceUsage(services.database, source, known, companyIds, run.startedAt);
    report.count('licenceUsage', known.length);
  }
}

async function storeLicenceUsage(
  connection: Connection,
  source: StoredSource,
  usages: readonly SourceLicenceUsage[],
  companyIds: CompanyIds,
  at: Date,
): Promise<void> {
  // One statement cannot update a row twice, so the last of several reports of a company counts.
  const records = new Map(
    usages.map(({ companyExternalId, serverExternalId, ...usage }) => {
      const record = { ...usage, companyId: companyIds.get(companyExternalId), server: serverExternalId ?? '' };
      return [[record.companyId, record.server, record.workload].join('\u0000'), record];
    }),
  );
  await execute(
    connection,
    sql`insert into ${LICENCE_USAGE} (provider_id, source_id, company_id, month, server_external_id, workload, unit_type, used_count, used_units,
          new_units, rental_units, read_at)
        select ${source.providerId}, ${source.id}, "companyId", date_trunc('month', ${at}::timestamptz)::date, server, workload, "unitType", "usedCount",
          "usedUnits", "newUnits", "rentalUnits", ${at}
        from json_to_recordset(${JSON.stringify([...records.values()])}::json) as k ("companyId" uuid, server text, workload text, "unitType" text,
          "usedCount" numeric, "usedUnits" numeric, "newUnits" numeric, "rentalUnits" numeric)
        on conflict (provider_id, source_id, company_id, month, server_external_id, workload) do update set unit_type = excluded.unit_type,
          used_count = excluded.used_count, used_units = excluded.used_units, new_units = excluded.new_units,
          rental_units = excluded.rental_units, read_at = excluded.read_at`,
  );
}
