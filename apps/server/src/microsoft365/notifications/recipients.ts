import { sql } from 'drizzle-orm';
import { IS_LIVING, maySee, USERS } from '../../directory/users.ts';
import { type Connection, row, rows } from '../../foundation/database.ts';
import type { JobNotification } from '../job-notification.ts';

/** The addresses that are mailed when a run of a job ends with a result. A user who may not see the company any more gets no mail of it. */
export async function recipientsOf(
  connection: Connection,
  job: { providerId: number; id: string; companyId: string },
  result: 'Success' | 'Warning' | 'Failed',
): Promise<string[]> {
  const found = await row<{ notification: Partial<JobNotification> }>(
    connection,
    sql`select j.notification from m365_jobs j where j.provider_id = ${job.providerId} and j.id = ${job.id}`,
  );
  const { enabled = false, notifyOnFailure = true, userIds = [], externalAddresses = [] } = found?.notification ?? {};
  if (!enabled || (notifyOnFailure && result === 'Success')) return [];
  const addresses = [...(await addressesOf(connection, job, userIds)), ...externalAddresses];
  return [...new Map(addresses.map((address) => [address.toLowerCase(), address])).values()];
}

async function addressesOf(
  connection: Connection,
  { providerId, companyId }: { providerId: number; companyId: string },
  userIds: readonly string[],
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const found = await rows<{ email: string }>(
    connection,
    sql`select u.email from ${USERS} u where u.provider_id = ${providerId} and u.id = any(${sql.param(userIds)}::uuid[]) and ${IS_LIVING}
          and ${maySee(companyId)} order by u.email`,
  );
  return found.map(({ email }) => email);
}
