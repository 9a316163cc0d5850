import type { ApplicationCredentials, ClientCertificate } from '@keepwatch/engine/engine';
import { sql } from 'drizzle-orm';
import { type Connection, rows } from '../../foundation/database.ts';
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

/** The applications of an organization, the first that was made first. */
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

/** Replaces the applications of an organization. Needs a transaction. */
export async function storeApplications(
  connection: Connection,
  secrets: SecretBox,
  { providerId, id: organizationId }: OrganizationKey,
  applications: readonly Application[],
  createdAt: Date,
): Promise<void> {
  await remove(connection, m365Applications, { providerId, organizationId });
  for (const { proof, ...shown } of applications) {
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
