import type { Region } from '@keepwatch/contract/microsoft365/organizations';

/** An organization, as far as restoring needs to know it. */
export interface RestoreOrganization {
  providerId: number;
  id: string;
  companyId: string;
  name: string;
  /** Id of the tenant: the organization of the engine's objects. */
  tenantId: string;
  region: Region;
}
