import type { OrganizationDetail, Region } from '@keepwatch/contract/microsoft365/organizations';
import type { OrganizationBody } from './organizations.data.ts';

/** Ways to sign in, and where the application comes from. */
export type Application = 'new' | 'existing';
type AuthType = OrganizationDetail['authType'];

/** An organization while it is filled in. Credentials have the names that the server refuses them by. */
export interface OrganizationDraft {
  companyObjId: string | null;
  name: string;
  isExchangeOnline: boolean;
  isSharePointOnline: boolean;
  isTeamsOnline: boolean;
  isTeamsChatsOnline: boolean;
  region: Region;
  authType: AuthType;
  application: Application;
  exchangeOnlineSettings: {
    account: string;
    password: string;
    grantAdminAccess: boolean;
    applicationId: string;
    applicationSecret: string;
    applicationCertificate: string;
    newApplicationName: string;
    configureApplication: boolean;
    officeOrganizationName: string;
  };
  sharePointOnlineSettings: {
    account: string;
    password: string;
    grantAdminAccess: boolean;
    sharePointSaveAllWebParts: boolean;
  };
}

/** What is sent exactly as typed, and never stored in the browser. */
export const SECRETS = [
  'exchangeOnlineSettings.password',
  'exchangeOnlineSettings.applicationSecret',
  'exchangeOnlineSettings.applicationCertificate',
  'sharePointOnlineSettings.password',
];

/** What a new organization begins with (specification "microsoft365", part 4, wizard defaults). */
export function newDraft(companyId: string | null): OrganizationDraft {
  return {
    companyObjId: companyId,
    name: '',
    isExchangeOnline: true,
    isSharePointOnline: true,
    isTeamsOnline: true,
    isTeamsChatsOnline: false,
    region: 'Worldwide',
    authType: 'modern',
    application: 'new',
    exchangeOnlineSettings: {
      account: '',
      password: '',
      grantAdminAccess: true,
      applicationId: '',
      applicationSecret: '',
      applicationCertificate: '',
      newApplicationName: '',
      configureApplication: true,
      officeOrganizationName: '',
    },
    sharePointOnlineSettings: { account: '', password: '', grantAdminAccess: true, sharePointSaveAllWebParts: false },
  };
}

/**
 * The draft of an organization that is changed. A thumbprint of a certificate means modern, otherwise an application id modern with legacy,
 * otherwise basic (specification "microsoft365", part 4).
 */
export function draftOf(organization: OrganizationDetail): OrganizationDraft {
  const exchange = organization.exchangeOnlineSettings;
  const sharePoint = organization.sharePointOnlineSettings;
  const empty = newDraft(organization.companyId);
  return {
    ...empty,
    name: organization.name,
    isExchangeOnline: organization.isExchangeOnline,
    isSharePointOnline: organization.isSharePointOnline,
    isTeamsOnline: organization.isTeamsOnline,
    isTeamsChatsOnline: organization.isTeamsChatsOnline,
    region: organization.region,
    authType: authTypeOf(organization),
    application: 'existing',
    exchangeOnlineSettings: {
      ...empty.exchangeOnlineSettings,
      account: exchange.account ?? '',
      applicationId: exchange.applicationId ?? sharePoint.applicationId ?? '',
      officeOrganizationName: exchange.officeOrganizationName || sharePoint.officeOrganizationName,
      configureApplication: false,
    },
    sharePointOnlineSettings: {
      ...empty.sharePointOnlineSettings,
      account: sharePoint.account ?? '',
      sharePointSaveAllWebParts: sharePoint.sharePointSaveAllWebParts,
    },
  };
}

function authTypeOf({ exchangeOnlineSettings: exchange, sharePointOnlineSettings: sharePoint }: OrganizationDetail) {
  const has = (name: 'applicationCertificateThumbprint' | 'applicationId') =>
    exchange[name] !== null || sharePoint[name] !== null;
  if (has('applicationCertificateThumbprint')) return 'modern' as const;
  return has('applicationId') ? ('modernLegacy' as const) : ('basic' as const);
}

/** `HUNTER-TECH-Contoso` (specification "microsoft365", part 9). */
export function defaultApplicationName(brand: string, company: string): string {
  const name = brand.trim().toUpperCase().replaceAll(/\s+/g, '-');
  return `${name}-${company}`.slice(0, 120);
}

/** Whether an administrator signs in with a device code for it: everything but an existing application that is used as it is. */
export function needsDeviceCode({ authType, application, exchangeOnlineSettings }: OrganizationDraft): boolean {
  return authType === 'modern' && (application === 'new' || exchangeOnlineSettings.configureApplication);
}

interface Given {
  /** The code that was shown; empty where none is needed. */
  userCode: string;
  /** The name of a new application, where none was entered. */
  applicationName: string;
}

/** The body for a draft: of each service that is on, the credentials that its sign-in needs. */
export function bodyOf(draft: OrganizationDraft, given: Given): OrganizationBody {
  const { application: _, exchangeOnlineSettings, sharePointOnlineSettings, name, companyObjId, ...rest } = draft;
  const { sharePointSaveAllWebParts } = sharePointOnlineSettings;
  const shared = draft.authType === 'basic' ? null : applicationSettings(draft, given);
  const isMailOn = draft.isExchangeOnline || draft.isTeamsOnline;
  return {
    type: 'Office365',
    ...rest,
    companyObjId: companyObjId ?? '',
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    ...(isMailOn ? { exchangeOnlineSettings: shared ?? accountOf(exchangeOnlineSettings) } : {}),
    ...(draft.isSharePointOnline
      ? {
          sharePointOnlineSettings: {
            ...(shared ?? accountOf(sharePointOnlineSettings)),
            sharePointSaveAllWebParts,
          },
        }
      : {}),
  };
}

type Settings = NonNullable<OrganizationBody['exchangeOnlineSettings']>;

function accountOf(settings: { account: string; password: string; grantAdminAccess: boolean }): Settings {
  const { account, password, grantAdminAccess } = settings;
  return given({ account, password, grantAdminAccess });
}

function applicationSettings(draft: OrganizationDraft, { userCode, applicationName }: Given): Settings {
  const { applicationId, applicationSecret, applicationCertificate, officeOrganizationName, ...settings } =
    draft.exchangeOnlineSettings;
  const tenant = given({ officeOrganizationName });
  if (draft.authType === 'modernLegacy') return { ...tenant, ...given({ applicationId, applicationSecret }) };
  if (draft.application === 'new')
    return { ...given({ userCode }), newApplicationName: settings.newApplicationName.trim() || applicationName };
  const { configureApplication } = settings;
  return configureApplication
    ? { ...tenant, ...given({ applicationId, userCode, configureApplication }) }
    : { ...tenant, ...given({ applicationId, applicationCertificate, configureApplication }) };
}

/** Without what is empty: of a change it stays as it is. */
function given(settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings)
      .map(([name, value]) => [name, typeof value === 'string' && name !== 'password' ? value.trim() : value])
      .filter(([, value]) => value !== ''),
  );
}
