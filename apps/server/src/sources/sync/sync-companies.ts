import type { SourceCompany } from '@keepwatch/connectors/ports/backup-source';
import { sql } from 'drizzle-orm';
import { type Connection, execute, rows } from '../../foundation/database.ts';
import { publish } from '../../foundation/events.ts';
import { idFrom } from '../../runs/execution-id.ts';
import { cleanText } from '../../runs/execution-log.ts';
import type { StoredSource } from '../stored-source.ts';
import { batchesOf, type RunningSync } from './running-sync.ts';

const BATCH_MAX = 500;
const NAME_LENGTH_MAX = 500;

/** The column with a company's id in this kind of source. */
function idColumn(kind: string): ReturnType<typeof sql.identifier> {
  const known: Readonly<Record<string, string>> = { vac: 'vac_id', vcd: 'vcd_id', zerto: 'zerto_id' };
  const column = known[kind];
  if (column === undefined) throw new Error(`Companies have no column for ids of the kind of source "${kind}".`);
  return sql.identifier(column);
}

/**
 * Stores the companies of a source by their ids in it. A manually created company of the same name is not changed, unless a user
 * has given it that id.
 */
export async function readCompanies(sync: RunningSync): Promise<void> {
  const { backup, signal, source, report, services } = sync;
  for await (const batch of batchesOf(sync, backup.listCompanies(signal), BATCH_MAX)) {
    const changed = await upsertCompanies(services.database, source, batch);
    report.count('companies', batch.length);
    if (changed > 0) await publish(services.database, { name: 'companies.changed', providerId: source.providerId });
  }
}

/** Upserts companies of a source and returns the number of changes. */
export async function upsertCompanies(
  connection: Connection,
  source: Pick<StoredSource, 'providerId' | 'kind'>,
  companies: readonly SourceCompany[],
): Promise<number> {
  const column = idColumn(source.kind);
  const records = companies.map((company) => ({
    id: idFrom('company', String(source.providerId), source.kind, company.externalId),
    external_id: company.externalId,
    name: cleanText(company.name, NAME_LENGTH_MAX),
    email: textOrNull(company.email),
    phone: textOrNull(company.phone),
    is_active: company.isActive,
  }));
  const given = sql`json_to_recordset(${JSON.stringify(records)}::json) as k (id uuid, external_id text, name text, email text, phone text, is_active boolean)`;
  const changed = await execute(
    connection,
    sql`update companies c set name = k.name, email = coalesce(k.email, c.email), phone = coalesce(k.phone, c.phone), is_active = k.is_active
        from ${given}
        where c.provider_id = ${source.providerId} and c.${column} = k.external_id
          and (c.name, c.email, c.phone, c.is_active) is distinct from (k.name, coalesce(k.email, c.email), coalesce(k.phone, c.phone), k.is_active)`,
  );
  const added = await execute(
    connection,
    sql`insert into companies (provider_id, id, ${column}, name, email, phone, is_active)
        select ${source.providerId}, k.id, k.external_id, k.name, k.email, k.phone, k.is_active from ${given}
        where not exists (select from companies c where c.provider_id = ${source.providerId} and c.${column} = k.external_id)
        on conflict do nothing`,
  );
  return changed + added;
}

function textOrNull(text: string | null): string | null {
  return text === null ? null : cleanText(text, NAME_LENGTH_MAX);
}

/** Reads the ids of a source's companies, by their external ids. */
export async function companyIdsOf(
  connection: Connection,
  source: Pick<StoredSource, 'providerId' | 'kind'>,
): Promise<ReadonlyMap<string, string>> {
  const column = idColumn(source.kind);
  const found = await rows<{ externalId: string; id: string }>(
    connection,
    sql`select ${column} as "externalId", id from companies where provider_id = ${source.providerId} and ${column} is not null`,
  );
  return new Map(found.map(({ externalId, id }) => [externalId, id]));
}
