import type { Service } from '@keepwatch/contract/microsoft365/organizations';
import { change } from '../../audit/change.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { ChangingContext } from '../../foundation/http/context.ts';
import { newId } from '../../foundation/secrets.ts';
import { storeApplications } from './applications.ts';
import { BOTH, connectNew } from './connect-new.ts';
import { type Connected, connectExisting } from './connected.ts';
import { forgetCode } from './device-codes.ts';
import {
  applicationIdOf,
  type Entered,
  type EnteredOrganization,
  enteredOf,
  officeNameOf,
  refusedField,
  rememberedOf,
  requireProof,
  servicesOf,
} from './entered.ts';
import type { OrganizationServices } from './organization-services.ts';
import { readDetail } from './organizations.ts';
import { insertOrganization, refusingDuplicates, requireCompany, requireFreeTenant } from './store-organization.ts';

/** Connects an organization: with an application that exists, or with new ones that a sign-in makes. */
export async function createOrganization(
  parts: OrganizationServices,
  context: ChangingContext,
  body: EnteredOrganization,
) {
  const companyName = await requireCompany(context.database, context.scope, body.companyObjId);
  requireModern(body, companyName);
  const entered = enteredOf(body);
  const services = servicesOf(body);
  const connected = await connectEntered(parts, context, { body, entered, services, companyName });
  const { missing, consentUrl } = connected;
  const key = { providerId: context.scope.providerId, id: newId() };
  const data = await refusingDuplicates(() =>
    change(context, { kind: 'organization' }, async (connection) => {
      const row = rowOf(connected, body, entered, services);
      await insertOrganization(connection, { ...key, ...row }, context.now());
      await storeApplications(connection, parts.secrets, key, connected.applications, context.now());
      const detail = await readDetail(connection, context.scope, key.id, context.now());
      return detail === null ? null : { result: detail, id: key.id, after: auditedOf(connected, row) };
    }),
  );
  if (entered.settings.userCode !== undefined)
    await forgetCode(context, { companyId: body.companyObjId, userCode: entered.settings.userCode });
  return { data, missing, consentUrl };
}

/** @throws Refusal 409: Microsoft ended it, and what to do instead */
export function requireModern({ authType }: EnteredOrganization, whose: string): void {
  if (authType !== 'basic') return;
  // https://learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/deprecation-of-basic-authentication-exchange-online
  throw new Refusal(
    409,
    'BASIC_AUTHENTICATION_ENDED',
    `Microsoft 365 does not accept account and password from programs any more: Microsoft ended basic authentication for all tenants. Connect the organization of ${whose} with modern authentication; what was entered stays.`,
  );
}

/** What was entered for an organization. */
export interface EnteredConnection {
  body: EnteredOrganization;
  entered: Entered;
  services: readonly Service[];
  companyName: string;
}

async function connectEntered(
  parts: OrganizationServices,
  context: ChangingContext,
  { body, entered, services, companyName }: EnteredConnection,
): Promise<Connected> {
  const { region, companyObjId: companyId } = body;
  const { settings, path } = entered;
  const admit = (tenantId: string) => requireFreeTenant(context.database, context.scope.providerId, tenantId);
  if (body.authType === 'modern' && settings.userCode !== undefined) {
    const used = { userCode: settings.userCode, companyId, region, organization: null, path };
    const applicationId = settings.applicationId ? applicationIdOf(entered) : null;
    const name = nameOfApplication(entered, companyName);
    return connectNew(parts, context, { used, region, services, name, applicationId, purposes: BOTH, admit });
  }
  const officeName = officeNameOf(entered);
  const existing = {
    officeName,
    region,
    services,
    applicationId: applicationIdOf(entered),
    proof: requireProof(body, entered),
    path,
  };
  const connected = await context.outside((gone) => connectExisting(parts.microsoft, existing, gone));
  await admit(connected.tenantId);
  return connected;
}

export function nameOfApplication({ settings, path }: Entered, companyName: string): string {
  const { newApplicationName = `Backup ${companyName}` } = settings;
  const name = newApplicationName.trim();
  if (name !== '') return name;
  throw refusedField(`${path}.newApplicationName`, 'must be a name for the application');
}

/** The columns that are entered or found. */
export function rowOf(
  { tenantId, officeName, displayName }: Connected,
  { companyObjId, region, authType, name }: EnteredOrganization,
  entered: Entered,
  services: readonly Service[],
) {
  return {
    companyId: companyObjId,
    name: name ?? displayName ?? officeName,
    officeName,
    tenantId,
    region,
    authType,
    services: [...services],
    settings: rememberedOf(entered),
  };
}

/** What the audit log may contain of an organization. */
export function auditedOf({ applications }: Pick<Connected, 'applications'>, row: object) {
  return { ...row, applications: applications.map(({ proof: _proof, ...shown }) => shown) };
}
