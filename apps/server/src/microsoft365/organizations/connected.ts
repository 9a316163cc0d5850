import type { Region, Service } from '@keepwatch/contract/microsoft365/organizations';
import { CLOUDS, loadSetUp } from '@keepwatch/engine/engine';
import { Refusal } from '../../foundation/errors.ts';
import { type Application, credentialsOf, type Proof } from './applications.ts';
import { kindsOf } from './entered.ts';
import { interactivePlace, type MicrosoftAddresses, placeOf } from './microsoft-place.ts';
import { refusing } from './refused-by-microsoft.ts';

/** A permission that is missing, as replies name it. */
export interface MissingPermission {
  permission: string;
  use: 'backup' | 'restore';
  without: string;
  isOptional: boolean;
}

/** A tenant with applications that were tried. */
export interface Connected {
  tenantId: string;
  officeName: string;
  displayName: string | null;
  applications: Application[];
  missing: MissingPermission[];
  consentUrl: string | null;
}

/** A tenant as it was entered, with an application of it. */
export interface ExistingApplication {
  officeName: string;
  region: Region;
  services: readonly Service[];
  applicationId: string;
  proof: Proof;
  /** Of the form, for refusals: `body.exchangeOnlineSettings`. */
  path: string;
}

/** Signs in as an existing application and checks, permission by permission, what it may. @throws Refusal that names the field */
export async function connectExisting(
  microsoft: MicrosoftAddresses,
  { officeName, region, services, applicationId, proof, path }: ExistingApplication,
  signal: AbortSignal,
): Promise<Connected> {
  const { checkApplication, factsOf } = await loadSetUp();
  const options = { ...(await interactivePlace(microsoft, region)), tenantId: officeName };
  const application = { applicationId, purpose: 'backup', name: applicationId, ...noCertificate, proof } as const;
  const found = await refusing(path, () =>
    checkApplication(options, credentialsOf(application), kindsOf(services), signal),
  ).catch((error: unknown) => {
    throw withConsent(error, consentUrlOf(microsoft, region, officeName, applicationId));
  });
  const backup: Application = {
    ...application,
    ...('certificate' in proof && shownFacts(factsOf(proof.certificate.certificate))),
  };
  return {
    tenantId: found.tenantId,
    officeName,
    displayName: null,
    applications: found.canRestore ? [backup, { ...backup, purpose: 'restore' }] : [backup],
    missing: found.missing,
    consentUrl: found.missing.length === 0 ? null : consentUrlOf(microsoft, region, found.tenantId, applicationId),
  };
}

const noCertificate = { certificateThumbprint: null, certificateExpiresAt: null };

export const shownFacts = ({ thumbprint, expiresAt }: { thumbprint: string; expiresAt: Date }) => ({
  certificateThumbprint: thumbprint,
  certificateExpiresAt: expiresAt.toISOString(),
});

/** Where an administrator consents to what the registration of an application asks for; https://learn.microsoft.com/entra/identity-platform/v2-admin-consent */
export function consentUrlOf(
  microsoft: MicrosoftAddresses,
  region: Region,
  tenant: string,
  applicationId: string,
): string {
  const { cloud, loginUrl } = placeOf(microsoft, region);
  const url = new URL(`${loginUrl ?? CLOUDS[cloud].loginUrl}/${encodeURIComponent(tenant)}/adminconsent`);
  url.searchParams.set('client_id', applicationId);
  return url.href;
}

function withConsent(error: unknown, consentUrl: string): unknown {
  if (!(error instanceof Refusal) || error.code !== 'CONSENT_MISSING') return error;
  return new Refusal(error.status, error.code, `${error.message} The consent is given at ${consentUrl}`, {
    cause: error,
  });
}

/** @throws Refusal 409 where an application is of another tenant than the organization */
export function requireTenant({ tenantId }: Connected, stored: { tenantId: string }): void {
  if (tenantId === stored.tenantId) return;
  throw new Refusal(
    409,
    'OTHER_TENANT',
    'The application is of another tenant. Connect that as an organization of its own.',
  );
}
