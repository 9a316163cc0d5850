import type { Region, Service } from '@keepwatch/contract/microsoft365/organizations';
import { EngineError } from '@keepwatch/engine/engine';
import type { SignedInContext } from '../../foundation/http/context.ts';
import { type AdministratorWork, asAdministrator } from './administrator.ts';
import { type Application, credentialsOf, type Purpose } from './applications.ts';
import { type Connected, consentUrlOf, shownFacts } from './connected.ts';
import type { UsedCode } from './device-codes.ts';
import { kindsOf, refusedField } from './entered.ts';
import { interactivePlace, type MicrosoftPlace } from './microsoft-place.ts';
import type { OrganizationServices } from './organization-services.ts';

/** What is to be made with a sign-in. */
export interface NewApplications {
  used: UsedCode;
  region: Region;
  services: readonly Service[];
  /** Of the application that backs up; the one that restores is named after it. */
  name: string;
  /** An application of the tenant that is to back up, instead of a new one. */
  applicationId: string | null;
  /** What applications are made for. */
  purposes: readonly Purpose[];
  /** Refuses a tenant before anything is made in it. */
  admit(tenantId: string): Promise<void>;
}

/** Both: one application reads, and another one may write. */
export const BOTH: readonly Purpose[] = ['backup', 'restore'];

/** Makes an application for each purpose, with a certificate of its own, and tries them. */
export async function connectNew(
  services: OrganizationServices,
  context: SignedInContext,
  order: NewApplications,
): Promise<Connected> {
  const place = await interactivePlace(services.microsoft, order.region);
  return asAdministrator(services, context, order.used, async ({ administrator, perform }) => {
    await order.admit(administrator.tenantId);
    return perform((work) => makeAll(services, place, order, work));
  });
}

async function makeAll(
  services: OrganizationServices,
  place: MicrosoftPlace,
  order: NewApplications,
  work: AdministratorWork,
): Promise<Connected> {
  const { tenantId, officeName, displayName } = work.administrator;
  const kinds = kindsOf(order.services);
  const made: Application[] = [];
  try {
    for (const purpose of order.purposes) made.push(await make(work, order, purpose));
    const missing: Connected['missing'] = [];
    for (const one of made) missing.push(...(await tried(work, { ...place, tenantId }, one, kinds)));
    const [backup] = made;
    const consentUrl =
      missing.length === 0 || backup === undefined
        ? null
        : consentUrlOf(services.microsoft, order.region, tenantId, backup.applicationId);
    return { tenantId, officeName, displayName, applications: made, missing, consentUrl };
  } catch (error) {
    await removeMade(work, order, made);
    throw error;
  }
}

async function make(
  { administrator: { connection }, setUp, signal }: AdministratorWork,
  { name: backupName, services, applicationId, used: { path } }: NewApplications,
  purpose: Purpose,
): Promise<Application> {
  const name = purpose === 'backup' ? backupName : `${backupName} restore`;
  const made = await setUp.makeCertificate(name, Date.now());
  const certificate = { privateKey: made.privateKey, certificate: made.certificate };
  const order = { name, purpose, kinds: kindsOf(services), certificate };
  const shown = { purpose, name, ...shownFacts(made), proof: { certificate } };
  if (applicationId === null || purpose === 'restore')
    return { applicationId: await setUp.createApplication(connection, order, signal), ...shown };
  await setUp.configureApplication(connection, applicationId, order, signal).catch((error: unknown) => {
    const isUnknown = error instanceof EngineError && error.code === 'not-found';
    throw isUnknown
      ? refusedField(`${path}.applicationId`, 'is no application that is registered in the tenant')
      : error;
  });
  return { applicationId, ...shown };
}

/** What an application lacks of what it was made for. */
async function tried(
  { setUp, signal }: AdministratorWork,
  options: MicrosoftPlace & { tenantId: string },
  application: Application,
  kinds: ReturnType<typeof kindsOf>,
): Promise<Connected['missing']> {
  const credentials = credentialsOf(application);
  await setUp.awaitApplication(options, credentials, { purpose: application.purpose, kinds }, signal);
  const { missing } = await setUp.checkApplication(options, credentials, kinds, signal);
  return missing.filter(({ use }) => use === application.purpose);
}

/** Applications of a connection that did not come about would be in the tenant for ever. */
async function removeMade(
  { administrator: { connection }, setUp }: AdministratorWork,
  { applicationId }: NewApplications,
  made: readonly Application[],
): Promise<void> {
  for (const one of made.filter((application) => application.applicationId !== applicationId))
    await setUp.removeApplication(connection, one.applicationId).catch(() => undefined);
}
