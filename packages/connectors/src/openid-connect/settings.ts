import { isIP } from 'node:net';
import { ConnectorError } from '../base/connector-error.ts';
import type { SettingField, Settings } from '../base/setting-field.ts';
import { RULE_FIELDS } from '../ports/identity-provider.ts';

export const SETTINGS: readonly SettingField[] = [
  {
    name: 'issuer',
    label: 'Issuer',
    hint: 'For Microsoft Entra: https://login.microsoftonline.com/TENANT-ID/v2.0. Register the redirect addresses there; Sign-in rules show them.',
    kind: 'url',
    isRequired: true,
  },
  { name: 'clientId', label: 'Client id', hint: 'Of the application there.', kind: 'text', isRequired: true },
  { name: 'clientSecret', label: 'Client secret', hint: '', kind: 'secret', isRequired: true },
  { name: 'scopes', label: 'Scopes', hint: 'Leave empty for: openid profile email', kind: 'text', isRequired: false },
  {
    name: 'groupsClaim',
    label: 'Claim with groups',
    hint: 'Leave empty for: groups. Which roles they give is set in Sign-in rules.',
    kind: 'text',
    isRequired: false,
  },
  ...RULE_FIELDS,
];

export interface OpenIdSettings {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  scope: string;
  groupsClaim: string;
}

/** Reads the settings of a form. @throws ConnectorError that names the wrong one */
export function readSettings(given: Settings): OpenIdSettings {
  return {
    issuer: issuerOf(given['issuer'] ?? ''),
    clientId: given['clientId'] ?? '',
    clientSecret: given['clientSecret'] ?? '',
    scope: scopeOf(given['scopes'] ?? ''),
    groupsClaim: given['groupsClaim']?.trim() || 'groups',
  };
}

const MICROSOFT = /^login\.(microsoftonline\.(com|us)|partner\.microsoftonline\.cn)$/;
/** The id of a tenant. Other words mean those of any tenant, or name one by a domain, which is not how its tokens name it. */
const TENANT = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function issuerOf(text: string): URL {
  const issuer = URL.parse(text.trim());
  const isPlain = issuer?.username === '' && issuer.password === '' && issuer.search === '' && issuer.hash === '';
  if (issuer === null || !isPlain || !(issuer.protocol === 'https:' || isOnThisMachine(issuer)))
    throw new ConnectorError(
      'not-reachable',
      'Issuer: expected an address that begins with https://, as the provider writes it.',
    );
  const [tenant = ''] = issuer.pathname.split('/').filter(Boolean);
  if (MICROSOFT.test(issuer.hostname) && !TENANT.test(tenant))
    throw new ConnectorError(
      'not-allowed',
      `Issuer: put the id of your tenant in the place of "${tenant}", which may let people of every organization in.`,
    );
  return issuer;
}

/** Without encryption only where nothing leaves the machine: a provider that is run for tests. */
function isOnThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && (hostname === 'localhost' || (isIP(hostname) === 4 && hostname.startsWith('127.')));
}

function scopeOf(text: string): string {
  const scopes = text.split(/[\s,]+/).filter(Boolean);
  return [...new Set(['openid', ...(scopes.length === 0 ? ['profile', 'email'] : scopes)])].join(' ');
}
