import type { ApplicationCredentials, ClientCertificate } from '@keepwatch/engine/engine';
import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
import { conflict } from '../../foundation/errors.ts';
import { sealedColumn } from '../../foundation/sealed-column.ts';
import type { SecretBox } from '../../foundation/secrets.ts';
import { insert, remove } from '../../foundation/table-writes.ts';
import { m365Applications } from '../tables.ts';
import type { OrganizationKey } from './organization-services.ts';

export type Purpose = 'backup' | 'restore';

/** What an application proves itself with: a secret, or a certificate with its key. */
export type Proof = { secret: string } | { certificate: ClientCertificate };

/** An application of an organization, as it is stored and shown, and its proof. */
export interface Application {
  applicationId: string;
  purpose: Purpose;
  name: string;
  certificateThumbprint: string | null;
  certificateExpiresAt: string | null;
  proof: Proof;
}

/** One whose proof is still sealed. */
export type SealedApplication = Omit<Application, 'proof'> & { credentials: Buffer };

const COLUMNS = sql`a.application_id as "applicationId", a.purpose, a.name, a.certificate_thumbprint as "certificateThumbprint",
  a.certificate_expires_at as "certificateExpiresAt", a.credentials`;

/** The applications of an organization; of those that back up, the one that the organization is connected with comes first. */
export function readApplications(
  connection: Connection,
  { providerId, id }: OrganizationKey,
): Promise<SealedApplication[]> {
  return rows(
    connection,
    sql`select ${COLUMNS} from m365_applications a where a.provider_id = ${providerId} and a.organization_id = ${id}
      order by a.purpose, a.created_at, a.application_id`,
  );
}

/**
 * Requires that applications are as they were read before Microsoft was asked, which takes seconds: a key that was renewed meanwhile would be lost. Needs
 * a transaction with the lock of the organization. @throws 409
 */
export async function requireUnchanged(
  connection: Connection,
  organization: OrganizationKey,
  before: readonly SealedApplication[],
): Promise<void> {
  const now = await readApplications(connection, organization);
  const isSame = (one: SealedApplication, at: number) => before[at]?.credentials.equals(one.credentials) === true;
  if (now.length === before.length && now.every(isSame)) return;
  throw conflict(
    'The applications of the organization were changed by another request in the meantime. Look at them, and do this again if it is still needed.',
  );
}

/** Replaces the applications of an organization, and keeps their order. Needs a transaction. */
export async function storeApplications(
  connection: Connection,
  secrets: SecretBox,
  { providerId, id: organizationId }: OrganizationKey,
  applications: readonly Application[],
  now: Date,
): Promise<void> {
  await remove(connection, m365Applications, { providerId, organizationId });
  for (const [at, { proof, ...shown }] of applications.entries()) {
    const createdAt = new Date(now.getTime() + at);
    const credentials = secrets.seal(JSON.stringify(proof), contextOf(organizationId, shown));
    await insert(connection, m365Applications, { providerId, organizationId, ...shown, credentials, createdAt });
  }
}

export function openApplication(
  secrets: SecretBox,
  organizationId: string,
  { credentials, ...shown }: SealedApplication,
): Application {
  const proof: Proof = JSON.parse(secrets.open(credentials, contextOf(organizationId, shown)));
  return { ...shown, proof };
}

export const credentialsOf = ({ applicationId, proof }: Application): ApplicationCredentials => ({
  clientId: applicationId,
  ...proof,
});

/** A proof opens only in the row that it was sealed for. */
const contextOf = (
  organizationId: string,
  { applicationId, purpose }: Pick<Application, 'applicationId' | 'purpose'>,
) => `m365-application ${organizationId} ${applicationId} ${purpose}`;

export const SEALED_APPLICATIONS = sealedColumn(
  m365Applications,
  'credentials',
  ['organizationId', 'applicationId', 'purpose'],
  (row) => contextOf(row.organizationId, row),
);
