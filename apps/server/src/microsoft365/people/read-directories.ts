import type { GraphConnection } from '@keepwatch/engine/engine';
import { sql } from 'drizzle-orm';
import { type Pool, rows } from '../../foundation/database.ts';
import { Refusal, reasonOf } from '../../foundation/errors.ts';
import { publish } from '../../foundation/events.ts';
import type { ConnectOrganization, Microsoft365Services } from '../microsoft365-services.ts';
import type { OrganizationKey } from '../organizations/organization-services.ts';
import { refusing } from '../organizations/refused-by-microsoft.ts';
import { licensedPeople, type Person } from './licensed-people.ts';
import { storeFailedRead, storePeople } from './unprotected-people.ts';

type ReadServices = Pick<Microsoft365Services, 'database' | 'log' | 'now'> & { connect: ConnectOrganization };

const AGAIN_MS = 6 * 3_600_000;
const AFTER_FAILURE_MS = 3_600_000;
/** Organizations of one minute; those after them come a minute later. */
const AT_ONCE = 20;
const PAGE = '/users?$select=id,displayName,mail,userPrincipalName,userType,assignedPlans&$top=999';

/** Reads who is in the directory of each organization, every six hours; one that Microsoft refuses stops none of the others. */
export async function readDirectories(services: ReadServices, signal: AbortSignal): Promise<void> {
  for (const organization of await listDue(services.database, services.now())) {
    if (signal.aborted) return;
    await readDirectory(services, organization, signal).catch(async (error: unknown) => {
      if (signal.aborted) return;
      services.log.warn({ organization: organization.id, reason: reasonOf(error) }, 'the directory was not read');
      const next = new Date(services.now().getTime() + AFTER_FAILURE_MS);
      await storeFailedRead(services.database, organization, messageOf(error), next);
    });
  }
}

async function readDirectory(
  { database, connect, now }: ReadServices,
  organization: OrganizationKey,
  signal: AbortSignal,
): Promise<void> {
  const people = await refusing('query', async () => readPeople(await connect(organization), signal));
  const at = now();
  await storePeople(database, organization, people, { at, next: new Date(at.getTime() + AGAIN_MS) });
  await publish(database, { name: 'm365-jobs.changed', providerId: organization.providerId });
}

async function readPeople(connection: GraphConnection, signal: AbortSignal): Promise<Person[]> {
  const people: Person[] = [];
  for await (const { value } of connection.pages({ path: PAGE, signal })) people.push(...licensedPeople(value));
  return people;
}

/** Those of which it is time, the longest unread first. */
function listDue(database: Pool, now: Date): Promise<OrganizationKey[]> {
  return rows(
    database,
    sql`select o.provider_id as "providerId", o.id from m365_organizations o
        left join m365_directory_reads d on d.provider_id = o.provider_id and d.organization_id = o.id
        where o.engine = 'built-in' and (d.next_at is null or d.next_at <= ${now}) order by d.next_at nulls first, o.id limit ${AT_ONCE}`,
  );
}

const messageOf = (error: unknown) =>
  error instanceof Refusal ? error.message : 'Microsoft 365 could not be read. It is tried again within an hour.';
