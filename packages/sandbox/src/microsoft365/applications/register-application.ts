import { createHash, X509Certificate } from 'node:crypto';
import { sharePointPermissions } from '../sharepoint/rest-server.ts';
import type { Tenant } from '../tenant.ts';
import type { Application } from './application.ts';
import { graphAppId, permissionId, permissionNames } from './permissions.ts';

/** What an application proves itself with. */
export interface ApplicationCredentials {
  clientId: string;
  clientSecret: string;
}

const yearMs = 365 * 86_400_000;

/**
 * Registers an application with a secret and gives it permissions: by default all of them.
 * @param ofSharePoint permissions of SharePoint itself
 */
export function registerApplication(
  tenant: Tenant,
  permissions: readonly string[] = permissionNames,
  ofSharePoint: readonly string[] = permissions === permissionNames ? sharePointPermissions : [],
): ApplicationCredentials {
  const { newId, madeMs, applications } = tenant;
  const appId = newId();
  const displayName = 'Keeper of copies';
  const clientSecret = secretOf(appId);
  const application: Application = {
    id: newId(),
    appId,
    createdMs: madeMs,
    keyCredentials: [],
    passwordCredentials: [
      { keyId: newId(), displayName: null, secretText: clientSecret, startMs: madeMs, endMs: madeMs + 2 * yearMs },
    ],
    properties: { displayName, signInAudience: 'AzureADMyOrg' },
  };
  applications.addApplication(application);
  const principal = { id: newId(), appId, createdMs: madeMs, displayName, properties: {}, assignments: [] };
  applications.addServicePrincipal(principal);
  applications.consent(principal, permissions, newId, madeMs);
  applications.sharePoint.set(appId, new Set(ofSharePoint));
  return { clientId: appId, clientSecret };
}

/** What an application asks for, as its owner enters it in the portal. */
export interface Registration {
  /** Application permissions of Microsoft Graph. */
  permissions?: readonly string[];
  redirectUris?: readonly string[];
}

/** Changes the registration of an application. Nothing is granted by it. */
export function editRegistration(
  tenant: Tenant,
  clientId: string,
  { permissions = [], redirectUris = [] }: Registration,
): void {
  const application = tenant.applications.findByAppId(clientId);
  if (!application) throw new Error(`There is no application ${clientId}`);
  const resourceAccess = permissions.map((name) => ({ id: permissionId(name), type: 'Role' }));
  application.properties = {
    ...application.properties,
    requiredResourceAccess: [{ resourceAppId: graphAppId, resourceAccess }],
    web: { redirectUris: [...redirectUris] },
  };
}

/** Registers a certificate (PEM or DER) for an application, as its owner does in the portal. */
export function addCertificate(tenant: Tenant, clientId: string, certificate: string | Buffer): void {
  const application = tenant.applications.findByAppId(clientId);
  if (!application) throw new Error(`There is no application ${clientId}`);
  const { raw, subject, validFrom, validTo } = new X509Certificate(certificate);
  application.keyCredentials.push({
    keyId: tenant.newId(),
    displayName: subject,
    customKeyIdentifier: createHash('sha1').update(raw).digest('hex').toUpperCase(),
    type: 'AsymmetricX509Cert',
    usage: 'Verify',
    startMs: Date.parse(validFrom),
    endMs: Date.parse(validTo),
    certificate: raw,
  });
}

/** Looks like the vendor's: 40 signs with a tilde. */
export const secretOf = (text: string) =>
  createHash('sha256')
    .update(text)
    .digest('base64url')
    .slice(0, 37)
    .replace(/^(...)/, '$18Q~');
