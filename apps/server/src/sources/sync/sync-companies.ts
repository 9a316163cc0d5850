import type { SourceCompany } from '@keepwatch/connectors/ports/backup-source';
import { type SQL, sql } from 'drizzle-orm';
import { companyIdsOf, formerCompanies, linkCompanies, linksOf } from '../../connections/company-links.ts';
import type { ConnectionKey } from '../../connections/connection-settings.ts';
import { COMPANIES } from '../../directory/companies.ts';
import { type Connection, execute } from '../../foundation/database.ts';
import { publish } from '../../foundation/events.ts';
import { idFrom } from '../../runs/execution-id.ts';
import { cleanText } from '../../runs/execution-log.ts';
import { batchesOf, type RunningSync } from './running-sync.ts';

const BATCH_MAX = 500;
const NAME_LENGTH_MAX = 500;

/**
 * Stores the companies of a source by their ids in it. A manually created company of the same name is not changed, unless it is
 * linked to that id.
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
  source: ConnectionKey,
  companies: readonly SourceCompany[],
): Promise<number> {
  const linked = await companyIdsOf(connection, source);
  const added = companies.filter(({ externalId }) => !linked.has(externalId));
  return (await addCompanies(connection, source, added)) + (await updateCompanies(connection, source, companies));
}

/** Links companies that the source has not reported before, and creates those that no removed console of its kind reported either. */
async function addCompanies(
  connection: Connection,
  source: ConnectionKey,
  companies: readonly SourceCompany[],
): Promise<number> {
  if (companies.length === 0) return 0;
  const externalIds = companies.map(({ externalId }) => externalId);
  const known = await formerCompanies(connection, source, externalIds);
  const newIdOf = (externalId: string) => idFrom('company', String(source.providerId), source.id, externalId);
  const created = companies
    .filter(({ externalId }) => !known.has(externalId))
    .map((company) => ({ id: newIdOf(company.externalId), ...columnsOf(company) }));
  await execute(
    connection,
    sql`insert into ${COMPANIES} (provider_id, id, name, email, phone, reported_email, reported_phone, is_active)
        select ${source.providerId}, k.id, k.name, k.email, k.phone, k.email, k.phone, k.is_active
        from json_to_recordset(${JSON.stringify(created)}::json) as k (id uuid, name text, email text, phone text, is_active boolean)
        on conflict do nothing`,
  );
  const links = externalIds.map((externalId) => ({
    externalId,
    companyId: known.get(externalId) ?? newIdOf(externalId),
  }));
  return linkCompanies(connection, source, links);
}

/**
 * Updates companies. One that a console reports is there, even if it was removed. E-mail and phone that a user entered stay: the contact
 * that technicians need is often another one than the console has.
 */
async function updateCompanies(
  connection: Connection,
  source: ConnectionKey,
  companies: readonly SourceCompany[],
): Promise<number> {
  const reported = companies.map((company) => ({ external_id: company.externalId, ...columnsOf(company) }));
  return execute(
    connection,
    sql`update ${COMPANIES} c set name = k.name, email = ${contact('email')}, phone = ${contact('phone')},
          reported_email = ${reportedContact('email')}, reported_phone = ${reportedContact('phone')}, is_active = k.is_active, deleted_at = null
        from json_to_recordset(${JSON.stringify(reported)}::json) as k (external_id text, name text, email text, phone text, is_active boolean)
        join ${linksOf(source)} on l.external_id = k.external_id
        where c.provider_id = ${source.providerId} and c.id = l.company_id
          and (c.name, c.email, c.phone, c.reported_email, c.reported_phone, c.is_active, c.deleted_at) is distinct from
            (k.name, ${contact('email')}, ${contact('phone')}, ${reportedContact('email')}, ${reportedContact('phone')}, k.is_active, null)`,
  );
}

/** What a company (alias `c`) has after a report (alias `k`): what a user entered, and otherwise what is reported. */
function contact(name: 'email' | 'phone'): SQL {
  const [own, before] = [sql.raw(`c.${name}`), sql.raw(`c.reported_${name}`)];
  return sql`case when ${own} is null or ${own} = ${before} then ${reportedContact(name)} else ${own} end`;
}

/** What a console no longer reports was not removed there for certain. */
function reportedContact(name: 'email' | 'phone'): SQL {
  return sql.raw(`coalesce(k.${name}, c.reported_${name})`);
}

function columnsOf({ name, email, phone, isActive }: SourceCompany) {
  return {
    name: cleanText(name, NAME_LENGTH_MAX),
    email: textOrNull(email),
    phone: textOrNull(phone),
    is_active: isActive,
  };
}

function textOrNull(text: string | null): string | null {
  return text === null ? null : cleanText(text, NAME_LENGTH_MAX);
}
