import { notFound } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { openApplication, readApplications } from './applications.ts';
import { connectExisting, requireTenant } from './connected.ts';
import type { OrganizationServices } from './organization-services.ts';
import { readDetail, requireConnected } from './organizations.ts';
import type { RemovedApplication } from './remove-application.ts';

/** Asks Microsoft what an application that backs up may now. Nothing is stored: each run asks again. */
export async function checkApplication(
  { microsoft, secrets }: OrganizationServices,
  context: SignedInContext,
  { organizationId: id, applicationId: entered }: RemovedApplication,
) {
  const { database, scope } = context;
  const stored = await requireConnected(database, scope, id);
  const applications = await readApplications(database, { providerId: scope.providerId, id });
  const found = applications.find((one) => one.purpose === 'backup' && one.applicationId === entered.toLowerCase());
  const data = await readDetail(database, scope, id, context.now());
  if (found === undefined || data === null) throw notFound('application');
  const { applicationId, proof } = openApplication(secrets, id, found);
  const { tenantId: officeName, region, services } = stored;
  const existing = { officeName, region, services, applicationId, proof, path: 'params' };
  const connected = await context.outside((gone) => connectExisting(microsoft, existing, gone));
  requireTenant(connected, stored);
  const missing = connected.missing.filter(({ use }) => use === 'backup');
  return { data, missing, consentUrl: missing.length === 0 ? null : connected.consentUrl };
}
