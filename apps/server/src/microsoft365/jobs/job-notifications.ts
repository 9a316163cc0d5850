import { sql } from 'drizzle-orm';
import { type Connection, row } from '../../foundation/database.ts';
import type { Scope } from '../../foundation/scope.ts';
import { update } from '../../foundation/table-writes.ts';
import type { JobNotification } from '../job-notification.ts';
import { m365Jobs } from '../tables.ts';
import type { JobKey } from './jobs.ts';

const NONE: JobNotification = { enabled: false, userIds: [], externalAddresses: [], notifyOnFailure: true };

/** Reads who is mailed when a job has run; `null` outside the scope, or of another organization than the given one. */
export async function findNotification(
  connection: Connection,
  scope: Scope,
  id: string,
  organizationId?: string | undefined,
): Promise<(JobNotification & { organizationId: string }) | null> {
  const ofOrganization = organizationId === undefined ? sql`true` : sql`j.organization_id = ${organizationId}`;
  const found = await row<{ organizationId: string; notification: Partial<JobNotification> }>(
    connection,
    sql`select j.organization_id as "organizationId", j.notification from m365_jobs j
        join m365_organizations o on o.provider_id = j.provider_id and o.id = j.organization_id
        where ${scope.rows('o')} and j.id = ${id} and ${ofOrganization}`,
  );
  return found === null ? null : { ...NONE, ...found.notification, organizationId: found.organizationId };
}

export async function storeNotification(
  connection: Connection,
  key: JobKey,
  { enabled, userIds, externalAddresses, notifyOnFailure }: JobNotification,
): Promise<void> {
  await update(connection, m365Jobs, { notification: { enabled, userIds, externalAddresses, notifyOnFailure } }, key);
}
