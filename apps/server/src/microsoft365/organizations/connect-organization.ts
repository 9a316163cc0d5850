import { createHash } from 'node:crypto';
import type { Region } from '@keepwatch/contract/microsoft365/organizations';
import { connect, type GraphConnection } from '@keepwatch/engine/engine';
import { sql } from 'drizzle-orm';
import { row } from '../../foundation/database.ts';
import { notFound, Refusal } from '../../foundation/errors.ts';
import {
  credentialsOf,
  openApplication,
  type Purpose,
  readApplications,
  type SealedApplication,
} from './applications.ts';
import { placeOf } from './microsoft-place.ts';
import type { OrganizationKey, OrganizationServices } from './organization-services.ts';

interface OpenConnection {
  /** Of what it was opened with: another one where the organization was changed since, by whichever process. */
  fingerprint: string;
  connection: Promise<GraphConnection>;
}

/** Connections of this process, the last used last. One is a token and some counters; unused ones are forgotten beyond so many. */
const CONNECTIONS_MAX = 200;
const connections = new Map<string, OpenConnection>();

/**
 * Connects to an organization with its applications of a purpose. The connection belongs to the process, and others use it at the same
 * time; after the organization was changed, the next caller gets another one.
 * @throws Refusal 404; 409 `NO_RESTORE_APPLICATION` where none of its applications may write
 */
export async function connectOrganization(
  services: OrganizationServices,
  organization: OrganizationKey,
  purpose: Purpose = 'backup',
): Promise<GraphConnection> {
  const [stored, all] = await Promise.all([
    readTenant(services, organization),
    readApplications(services.database, organization),
  ]);
  if (stored === null) throw notFound('organization');
  const applications = all.filter((one) => one.purpose === purpose);
  if (applications.length === 0) throw noApplication(purpose);
  const key = `${organization.providerId} ${organization.id} ${purpose}`;
  const fingerprint = fingerprintOf(stored, applications);
  const known = connections.get(key);
  connections.delete(key);
  const current =
    known?.fingerprint === fingerprint
      ? known
      : { fingerprint, connection: open(services, organization, stored, applications) };
  remember(key, current);
  return current.connection;
}

interface StoredTenant {
  tenantId: string;
  region: Region;
}

function readTenant(
  { database }: OrganizationServices,
  { providerId, id }: OrganizationKey,
): Promise<StoredTenant | null> {
  return row(
    database,
    sql`select o.tenant_id as "tenantId", o.region from m365_organizations o where o.provider_id = ${providerId} and o.id = ${id}`,
  );
}

function open(
  { secrets, microsoft }: OrganizationServices,
  { id }: OrganizationKey,
  { tenantId, region }: StoredTenant,
  sealed: readonly SealedApplication[],
): Promise<GraphConnection> {
  const applications = sealed.map((one) => credentialsOf(openApplication(secrets, id, one)));
  // Long waits are reported by the work that waits, which the connection outlives.
  return connect({ ...placeOf(microsoft, region), tenantId, applications }, () => undefined);
}

function remember(key: string, connection: OpenConnection): void {
  connections.set(key, connection);
  const [oldest] = connections.keys();
  if (connections.size > CONNECTIONS_MAX && oldest !== undefined) connections.delete(oldest);
}

function fingerprintOf(stored: StoredTenant, applications: readonly SealedApplication[]): string {
  const hash = createHash('sha256').update(JSON.stringify(stored));
  for (const { applicationId, credentials } of applications) hash.update(applicationId).update(credentials);
  return hash.digest('base64');
}

function noApplication(purpose: Purpose): Refusal {
  if (purpose === 'restore')
    return new Refusal(
      409,
      'NO_RESTORE_APPLICATION',
      'No application of the organization may write, so nothing can be restored into it. Grant its application the permissions to restore, or let the wizard make an application for that, and save the organization again.',
    );
  return new Refusal(
    409,
    'NO_APPLICATION',
    'The organization has no application to back it up with. Edit it and connect it again.',
  );
}
