import { createPrivateKey } from 'node:crypto';
import type { createOrganization, Service } from '@keepwatch/contract/microsoft365/organizations';
import type { CallInput } from '@keepwatch/contract/wire/call';
import type { ObjectKind } from '@keepwatch/engine/engine';
import { type FieldError, invalid } from '../../foundation/errors.ts';
import type { Proof } from './applications.ts';
import type { OrganizationSettings } from './organization-settings.ts';

export type EnteredOrganization = CallInput<typeof createOrganization>['body'];
type EnteredSettings = NonNullable<EnteredOrganization['exchangeOnlineSettings']>;

/** One connection reaches all services; the fields of the form are named for the service under which they were entered. */
export interface Entered {
  settings: EnteredSettings;
  /** `body.exchangeOnlineSettings` */
  path: string;
}

/** Reads what was entered for the connection. @throws 422 where the services name two applications */
export function enteredOf({ exchangeOnlineSettings, sharePointOnlineSettings }: EnteredOrganization): Entered {
  const [first, second] = [exchangeOnlineSettings?.applicationId, sharePointOnlineSettings?.applicationId];
  if (first !== undefined && second !== undefined && first.toLowerCase() !== second.toLowerCase())
    throw refusedField(
      'body.sharePointOnlineSettings.applicationId',
      'must be that of Exchange: one application reaches all services',
    );
  const isOfSharePoint = exchangeOnlineSettings === undefined && sharePointOnlineSettings !== undefined;
  return {
    settings: exchangeOnlineSettings ?? sharePointOnlineSettings ?? {},
    path: isOfSharePoint ? 'body.sharePointOnlineSettings' : 'body.exchangeOnlineSettings',
  };
}

/** The services that are chosen. @throws 422 for none */
export function servicesOf(body: EnteredOrganization): Service[] {
  const chosen: readonly (readonly [Service, boolean])[] = [
    ['exchange', body.isExchangeOnline],
    ['sharepoint', body.isSharePointOnline],
    ['teams', body.isTeamsOnline],
    ['teamsChats', body.isTeamsChatsOnline],
  ];
  const services = chosen.filter(([, isChosen]) => isChosen).map(([service]) => service);
  if (services.length === 0)
    throw refusedField('body.isExchangeOnline', 'or another service must be chosen: nothing would be backed up');
  return services;
}

const KINDS_OF: Readonly<Record<Service, readonly ObjectKind[]>> = {
  exchange: ['mailbox', 'archive'],
  sharepoint: ['site', 'drive'],
  teams: ['team', 'planner'],
  teamsChats: ['chats'],
};

export const kindsOf = (services: readonly Service[]): ObjectKind[] => services.flatMap((service) => KINDS_OF[service]);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DOMAIN = /^(?=.{3,200}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/i;

/** The tenant's name as it was entered: a domain or an id, else the domain of the account. @throws 422 */
export function officeNameOf({ settings, path }: Entered): string {
  const name = settings.officeOrganizationName?.trim() || settings.account?.split('@')[1]?.trim() || '';
  if (DOMAIN.test(name) || UUID.test(name)) return name.toLowerCase();
  throw refusedField(
    `${path}.officeOrganizationName`,
    'must be a domain of the tenant, such as contoso.onmicrosoft.com, or its id',
  );
}

/** @throws 422 */
export function applicationIdOf({
  settings,
  path,
}: {
  settings: { applicationId?: string | undefined };
  path: string;
}) {
  const id = settings.applicationId?.trim() ?? '';
  if (UUID.test(id)) return id.toLowerCase();
  throw refusedField(`${path}.applicationId`, 'must be the application (client) id of the application');
}

/** The proof that was entered; `null` where none was. @throws 422 for one that cannot be read, or of another kind */
export function proofOf({ authType }: EnteredOrganization, { settings, path }: Entered): Proof | null {
  const { applicationSecret: secret = '', applicationCertificate: pem = '' } = settings;
  if (authType === 'modernLegacy') return secret === '' ? null : { secret };
  return pem === '' ? null : { certificate: readPem(pem, `${path}.applicationCertificate`) };
}

/** @throws 422: a modern connection proves itself with a certificate, a legacy one with a secret */
export function requireProof(body: EnteredOrganization, entered: Entered): Proof {
  const proof = proofOf(body, entered);
  if (proof !== null) return proof;
  if (body.authType === 'modernLegacy')
    throw refusedField(
      `${entered.path}.applicationSecret`,
      'must be a secret of the application: its value, not its id',
    );
  throw refusedField(
    `${entered.path}.applicationCertificate`,
    'must be the certificate of the application with its private key, or userCode the code of a sign-in',
  );
}

const BLOCK = (label: string) => new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----`);

/** A certificate with its private key. @throws 422 */
export function readPem(pem: string, path: string) {
  const [certificate, key] = [BLOCK('CERTIFICATE').exec(pem)?.[0], BLOCK('(?:RSA |EC )?PRIVATE KEY').exec(pem)?.[0]];
  if (certificate === undefined) throw refusedField(path, 'must contain a certificate in PEM');
  if (key === undefined)
    throw refusedField(path, 'must contain the private key of the certificate in PEM, without a password');
  try {
    return { certificate, privateKey: createPrivateKey(key).export({ type: 'pkcs8', format: 'pem' }).toString() };
  } catch {
    throw refusedField(path, 'has a private key that cannot be read');
  }
}

/** What is remembered of the form beside its columns. */
export function rememberedOf({ settings }: Entered): OrganizationSettings {
  const { account, sharePointSaveAllWebParts } = settings;
  return {
    ...(account !== undefined && account !== '' && { account }),
    ...(sharePointSaveAllWebParts !== undefined && { sharePointSaveAllWebParts }),
  };
}

export function refusedField(path: string, message: string) {
  const error: FieldError = { path, message };
  return invalid([error], 'The organization was not connected.');
}
