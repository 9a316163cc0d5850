import type { OrganizationDetail, renewCertificate } from '@keepwatch/contract/microsoft365/organizations';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { Refusal } from '../../foundation/errors.ts';
import type { ChangingContext } from '../../foundation/http/context.ts';
import { type AdministratorWork, asAdministrator } from './administrator.ts';
import { type Application, credentialsOf, openApplication, readApplications } from './applications.ts';
import { shownFacts } from './connected.ts';
import { forgetCode } from './device-codes.ts';
import { kindsOf } from './entered.ts';
import { interactivePlace } from './microsoft-place.ts';
import type { OrganizationServices } from './organization-services.ts';
import { requireConnected, type StoredOrganization } from './organizations.ts';
import { replaceApplications } from './replace-applications.ts';

/**
 * Gives each application with a certificate a new one: added beside the old, tried, stored, and only then is the old one removed. Where
 * anything fails before it is stored, the old ones work on.
 */
export async function renewCertificates(
  parts: OrganizationServices,
  context: ChangingContext,
  { companyId, organizationId: id, userCode }: CallInput<typeof renewCertificate>['body'],
): Promise<OrganizationDetail> {
  const { scope, database } = context;
  const stored = await requireConnected(database, scope, id);
  if (stored.companyId !== companyId.toLowerCase()) throw otherCompany(stored);
  const before = await readApplications(database, { providerId: scope.providerId, id });
  const all = before.map((one) => openApplication(parts.secrets, id, one));
  const certified = all.filter(({ proof }) => 'certificate' in proof);
  if (certified.length === 0) throw noCertificate(stored);
  const used = { userCode, companyId: stored.companyId, region: stored.region, organization: stored, path: 'body' };
  return asAdministrator(parts, context, used, async ({ perform }) => {
    const renewed = await perform((work) => renewAll(parts, work, stored, certified));
    const applications = all.map((one) => renewed.get(one) ?? one);
    const detail = await replaceApplications(parts, context, { id, before, applications }, (after) => ({
      before: { certificateExpiresAt: stored.certificateExpiresAt },
      after: { certificateExpiresAt: after.exchangeOnlineSettings.certificateExpiresAt },
    }));
    await forgetCode(context, used);
    await perform((work) => removeOld(work, [...renewed.keys()]));
    return detail;
  });
}

async function renewAll(
  { microsoft }: OrganizationServices,
  work: AdministratorWork,
  { region, tenantId, services }: StoredOrganization,
  applications: readonly Application[],
): Promise<Map<Application, Application>> {
  const options = { ...(await interactivePlace(microsoft, region)), tenantId };
  const renewed = new Map<Application, Application>();
  for (const old of applications) {
    // An application for both purposes has one certificate.
    const same = [...renewed].find(([{ applicationId }]) => applicationId === old.applicationId)?.[1];
    const next = same === undefined ? await renew(work, old) : { ...same, purpose: old.purpose };
    if (same === undefined)
      await work.setUp.awaitApplication(
        options,
        credentialsOf(next),
        { purpose: old.purpose, kinds: kindsOf(services) },
        work.signal,
      );
    renewed.set(old, next);
  }
  return renewed;
}

async function renew({ administrator, setUp, signal }: AdministratorWork, old: Application): Promise<Application> {
  const made = await setUp.makeCertificate(old.name, Date.now());
  const certificate = { privateKey: made.privateKey, certificate: made.certificate };
  await setUp.addCertificate(administrator.connection, old.applicationId, { certificate, name: old.name }, signal);
  return { ...old, ...shownFacts(made), proof: { certificate } };
}

/** What is not removed now ends when it expires: the new one is stored, and the renewal has succeeded. */
async function removeOld(
  { administrator, setUp, signal }: AdministratorWork,
  all: readonly Application[],
): Promise<void> {
  for (const { applicationId, certificateThumbprint } of all) {
    if (certificateThumbprint === null) continue;
    await setUp
      .removeCertificate(administrator.connection, applicationId, certificateThumbprint, signal)
      .catch(() => undefined);
  }
}

const otherCompany = ({ name, companyName }: StoredOrganization) =>
  new Refusal(409, 'OTHER_COMPANY', `${name} is an organization of ${companyName}. Renew its certificates there.`);

const noCertificate = ({ name }: StoredOrganization) =>
  new Refusal(
    409,
    'NO_CERTIFICATE',
    `The application of ${name} signs in with a secret, and has no certificate to renew. Enter a new secret instead: edit the organization.`,
  );
