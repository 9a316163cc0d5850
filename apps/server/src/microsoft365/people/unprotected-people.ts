import { LICENSE_DAYS } from '@keepwatch/contract/microsoft365/licensing';
import { sql } from 'drizzle-orm';
import { type Connection, execute, type Pool, transaction } from '../../foundation/database.ts';
import type { OrganizationKey } from '../organizations/organization-services.ts';
import type { Person } from './licensed-people.ts';

/** Stores how many people an organization has, and which of them are not licensed by a backup (decision 47). */
export function storePeople(
  database: Pool,
  { providerId, id }: OrganizationKey,
  people: readonly Person[],
  { at, next }: { at: Date; next: Date },
): Promise<void> {
  return transaction(database, async (connection) => {
    await execute(
      connection,
      sql`insert into m365_directory_reads as d (provider_id, organization_id, people, read_at, next_at)
          select o.provider_id, o.id, ${people.length}::int, ${at}::timestamptz, ${next}::timestamptz
          from m365_organizations o where o.provider_id = ${providerId} and o.id = ${id} for key share
          on conflict (provider_id, organization_id) do update
            set people = excluded.people, read_at = excluded.read_at, next_at = excluded.next_at, message = null`,
    );
    await execute(
      connection,
      sql`delete from m365_unprotected_people p where p.provider_id = ${providerId} and p.organization_id = ${id}`,
    );
    await execute(
      connection,
      sql`insert into m365_unprotected_people (provider_id, organization_id, object_id, name, address)
          select o.provider_id, o.id, t.object_id, t.name, t.address
          from m365_organizations o cross join unnest(${sql.param(people.map((one) => one.id))}::text[], ${sql.param(people.map(({ name }) => name))}::text[],
            ${sql.param(people.map(({ address }) => address))}::text[]) as t (object_id, name, address)
          where o.provider_id = ${providerId} and o.id = ${id} and not exists (
            select from m365_protected_users u join m365_license_periods l on l.provider_id = u.provider_id and l.user_id = u.id
            where u.provider_id = ${providerId} and u.organization_id = ${id} and u.object_id = t.object_id
              and l.last_backup_on > (${at}::timestamptz at time zone 'UTC')::date - ${LICENSE_DAYS}::int)
          on conflict do nothing`,
    );
  });
}

/** Stores why a directory could not be read. What was read before stays. */
export async function storeFailedRead(
  connection: Connection,
  { providerId, id }: OrganizationKey,
  message: string,
  next: Date,
): Promise<void> {
  await execute(
    connection,
    sql`insert into m365_directory_reads (provider_id, organization_id, next_at, message)
        select o.provider_id, o.id, ${next}::timestamptz, ${message}::text from m365_organizations o where o.provider_id = ${providerId} and o.id = ${id}
        on conflict (provider_id, organization_id) do update set next_at = excluded.next_at, message = excluded.message`,
  );
}

/** Takes people of whom something was backed up off the list. @param objectIds at Microsoft, in lower case */
export async function markProtected(
  connection: Connection,
  { providerId, organizationId }: { providerId: number; organizationId: string },
  objectIds: readonly string[],
): Promise<void> {
  await execute(
    connection,
    sql`delete from m365_unprotected_people p where p.provider_id = ${providerId} and p.organization_id = ${organizationId}
          and p.object_id = any(${sql.param(objectIds)}::text[])`,
  );
}
