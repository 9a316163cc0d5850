import type { AuthType, Service } from '@keepwatch/contract/microsoft365/organizations';
import type { Connection } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { insert } from '../foundation/table-writes.ts';
import { type Proof, type Purpose, storeApplications } from '../microsoft365/organizations/applications.ts';
import { m365Organizations } from '../microsoft365/tables.ts';
import { TEST_NOW, TEST_SECRETS } from './test-portal.ts';

/** Rows of the Microsoft 365 application with sensible defaults, one function a table. */

export interface BuiltApplication {
  clientId: string;
  proof: Proof;
  purposes?: readonly Purpose[];
}

/** An organization; with an application it can be connected to. */
export async function buildOrganization(
  connection: Connection,
  given: {
    companyId: string;
    providerId?: number;
    name?: string;
    tenantId?: string;
    officeName?: string;
    authType?: AuthType;
    services?: Service[];
    application?: BuiltApplication;
  },
): Promise<string> {
  const key = { providerId: given.providerId ?? 1, id: newId() };
  await insert(connection, m365Organizations, {
    ...key,
    companyId: given.companyId,
    engine: 'built-in',
    name: given.name ?? 'Contoso',
    officeName: given.officeName ?? 'contoso.onmicrosoft.com',
    tenantId: given.tenantId ?? newId(),
    region: 'Worldwide',
    authType: given.authType ?? 'modernLegacy',
    services: given.services ?? ['exchange', 'sharepoint', 'teams'],
    createdAt: TEST_NOW,
  });
  if (given.application !== undefined) {
    const { clientId: applicationId, proof, purposes = ['backup', 'restore'] } = given.application;
    const shown = { applicationId, name: 'Keeper', certificateThumbprint: null, certificateExpiresAt: null, proof };
    const applications = purposes.map((purpose) => ({ ...shown, purpose }));
    await storeApplications(connection, TEST_SECRETS, key, applications, TEST_NOW);
  }
  return key.id;
}
