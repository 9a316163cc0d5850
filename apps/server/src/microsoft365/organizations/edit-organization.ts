import type { Service } from '@keepwatch/contract/microsoft365/organizations';
import { change } from '../../audit/change.ts';
import type { ChangingContext } from '../../foundation/http/context.ts';
import { update } from '../../foundation/table-writes.ts';
import { m365Organizations } from '../tables.ts';
import {
  type Application,
  openApplication,
  readApplications,
  requireUnchanged,
  type SealedApplication,
  storeApplications,
} from './applications.ts';
import { BOTH, connectNew } from './connect-new.ts';
import { type Connected, connectExisting, requireTenant } from './connected.ts';
import { auditedOf, nameOfApplication, requireModern } from './create-organization.ts';
import { forgetCode } from './device-codes.ts';
import {
  applicationIdOf,
  type Entered,
  type EnteredOrganization,
  enteredOf,
  proofOf,
  refusedField,
  rememberedOf,
  servicesOf,
} from './entered.ts';
import type { OrganizationServices } from './organization-services.ts';
import { lockOrganization, readDetail, requireConnected, type StoredOrganization } from './organizations.ts';
import { requireCompany } from './store-organization.ts';

/** Changes an organization: its name, company and services, and its applications where others are entered. */
export async function editOrganization(
  parts: OrganizationServices,
  context: ChangingContext,
  id: string,
  body: EnteredOrganization,
) {
  const { scope, database } = context;
  const stored = await requireConnected(database, scope, id);
  await requireCompany(database, scope, body.companyObjId);
  requireModern(body, stored.name);
  if (body.region !== stored.region)
    throw refusedField(
      'body.region',
      'cannot be changed: a tenant is in one cloud of Microsoft. Connect it as another organization.',
    );
  const entered = enteredOf(body);
  const services = servicesOf(body);
  const before = await readApplications(database, { providerId: scope.providerId, id });
  const connected = await reconnected(parts, context, { stored, body, entered, services, before });
  const data = await change(context, { kind: 'organization', id }, async (connection) => {
    if (!(await lockOrganization(connection, scope, id))) return null;
    const key = { providerId: scope.providerId, id };
    const row = {
      companyId: body.companyObjId,
      name: body.name ?? stored.name,
      authType: body.authType,
      services: [...services],
      settings: { ...stored.settings, ...rememberedOf(entered) },
    };
    await update(connection, m365Organizations, row, key);
    if (connected !== null) {
      await requireUnchanged(connection, key, before);
      const further = furtherOf(parts, stored, before, connected);
      await storeApplications(connection, parts.secrets, key, [...connected.applications, ...further], context.now());
    }
    const detail = await readDetail(connection, scope, id, context.now());
    const shownBefore = {
      name: stored.name,
      companyId: stored.companyId,
      authType: stored.authType,
      services: stored.services,
    };
    return detail === null
      ? null
      : { result: detail, before: shownBefore, after: connected === null ? row : auditedOf(connected, row) };
  });
  const { userCode } = entered.settings;
  if (userCode !== undefined) await forgetCode(context, { companyId: stored.companyId, userCode });
  return { data, missing: connected?.missing ?? [], consentUrl: connected?.consentUrl ?? null };
}

interface Edited {
  stored: StoredOrganization;
  body: EnteredOrganization;
  entered: Entered;
  services: readonly Service[];
  before: readonly SealedApplication[];
}

/** The organization with its applications as they were entered; `null` where nothing was. */
async function reconnected(
  parts: OrganizationServices,
  context: ChangingContext,
  edited: Edited,
): Promise<Connected | null> {
  const { stored, body, entered, before } = edited;
  const { settings, path } = entered;
  const applications = before.map((one) => openApplication(parts.secrets, stored.id, one));
  if (body.authType === 'modern' && settings.userCode !== undefined)
    return remade(parts, context, edited, applications);
  const current = applications.find(({ purpose }) => purpose === 'backup');
  const given = proofOf(body, entered);
  if (given === null && !settings.applicationId) {
    requireKind(body, entered, current);
    return null;
  }
  const applicationId = settings.applicationId ? applicationIdOf(entered) : current?.applicationId;
  const isSame = applicationId === current?.applicationId;
  if (given === null && isSame) requireKind(body, entered, current);
  const proof = given ?? (isSame ? current?.proof : undefined);
  if (applicationId === undefined || proof === undefined)
    throw refusedField(`${path}.${fieldOf(body)}`, 'is needed for another application');
  const existing = {
    officeName: stored.tenantId,
    region: stored.region,
    services: edited.services,
    applicationId,
    proof,
    path,
  };
  const connected = await context.outside((gone) => connectExisting(parts.microsoft, existing, gone));
  requireTenant(connected, stored);
  return { ...connected, applications: withOwnRestore(connected, applications, isSame) };
}

/** An application that only restores is not entered in the form, and stays as long as the one that backs up is the same. */
function withOwnRestore(connected: Connected, stored: readonly Application[], isSame: boolean): Application[] {
  const [backup] = connected.applications;
  const known = stored.find(
    ({ applicationId, purpose }) => purpose === 'backup' && applicationId === backup?.applicationId,
  );
  const named = connected.applications.map((one) => ({ ...one, name: known?.name ?? one.name }));
  const others = stored.filter(
    ({ purpose, applicationId }) => purpose === 'restore' && applicationId !== backup?.applicationId,
  );
  return isSame ? [...named, ...others] : named;
}

function remade(
  parts: OrganizationServices,
  context: ChangingContext,
  { stored, entered, services, body }: Edited,
  applications: readonly Application[],
): Promise<Connected> {
  const { settings, path } = entered;
  const { region, companyId } = stored;
  const current = applications.find(({ purpose }) => purpose === 'backup');
  const used = { userCode: settings.userCode ?? '', companyId, region, organization: stored, path };
  const applicationId = settings.applicationId ? applicationIdOf(entered) : null;
  const name = nameOfApplication(entered, body.name ?? current?.name ?? stored.name);
  const admit = async () => undefined;
  return connectNew(parts, context, { used, region, services, name, applicationId, purposes: BOTH, admit });
}

/** The kind of authentication is that of the application: another one needs another proof. */
function requireKind(body: EnteredOrganization, { path }: Entered, current: Application | undefined): void {
  const isCertified = current !== undefined && 'certificate' in current.proof;
  if (current !== undefined && isCertified === (body.authType === 'modern')) return;
  throw refusedField(`${path}.${fieldOf(body)}`, 'is needed for this kind of authentication');
}

const fieldOf = ({ authType }: EnteredOrganization) =>
  authType === 'modernLegacy' ? 'applicationSecret' : 'applicationCertificate';

/** Applications that back up beside the one that is entered stay. */
function furtherOf(
  { secrets }: OrganizationServices,
  { id }: StoredOrganization,
  before: readonly SealedApplication[],
  { applications }: Connected,
): Application[] {
  const [, ...further] = before.filter(({ purpose }) => purpose === 'backup');
  const isEntered = ({ applicationId }: SealedApplication) =>
    applications.some((one) => one.purpose === 'backup' && one.applicationId === applicationId);
  return further.filter((one) => !isEntered(one)).map((one) => openApplication(secrets, id, one));
}
