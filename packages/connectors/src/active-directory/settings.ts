import { ConnectorError } from '../base/connector-error.ts';
import type { SettingField, Settings } from '../base/setting-field.ts';

/** The roles of the portal that a group can give, with what the form calls them. A role without a group is not given. */
const ROLES = {
  admin: 'admins',
  operator: 'operators',
  'read-only': 'read-only users',
  'super-admin': 'super admins',
  o365_admin: 'Microsoft 365 admins',
  'restore-operator': 'restore operators',
  'sub-sp': 'resellers',
} as const;

const GROUP_HINT =
  'Account name or distinguished name. Members of its nested groups count. Separate several by a semicolon.';

export const SETTINGS: readonly SettingField[] = [
  {
    name: 'controllers',
    label: 'Domain controllers',
    hint: 'ldaps://dc1.example.com ldaps://dc2.example.com. The next one is asked where one does not answer.',
    kind: 'url',
    isRequired: true,
  },
  { name: 'baseDn', label: 'Base DN', hint: 'DC=example,DC=com', kind: 'text', isRequired: true },
  {
    name: 'user',
    label: 'Account',
    hint: 'portal@example.com. It reads users and groups, and resets passwords and unlocks accounts.',
    kind: 'text',
    isRequired: true,
  },
  { name: 'password', label: 'Password', hint: '', kind: 'secret', isRequired: true },
  {
    name: 'certificate',
    label: 'Certificate',
    hint: 'Of the authority of the controllers (PEM). Leave empty if it is trusted publicly.',
    kind: 'file',
    accept: '.pem,.crt',
    isRequired: false,
  },
  ...Object.entries(ROLES).map(
    ([role, people]): SettingField => ({
      name: fieldOf(role),
      label: `Group of ${people}`,
      hint: GROUP_HINT,
      kind: 'text',
      isRequired: false,
    }),
  ),
];

function fieldOf(role: string): string {
  return `group-${role}`;
}

export interface Controller {
  /** As it was entered, for messages. */
  url: string;
  host: string;
  port: number;
}

export interface DirectorySettings {
  controllers: readonly Controller[];
  baseDn: string;
  user: string;
  password: string;
  /** What the certificates are checked with; `null`: the public authorities. */
  certificate: string | null;
  /** The groups of each role, in lower case. */
  groups: ReadonlyMap<string, readonly string[]>;
}

/** Reads the settings of a form. @throws ConnectorError that names the wrong one */
export function readSettings(given: Settings): DirectorySettings {
  const controllers = wordsOf(given['controllers'] ?? '', /[\s,]+/).map(controllerOf);
  if (controllers.length === 0)
    throw new ConnectorError('not-reachable', 'Domain controllers: expected ldaps://HOST, or several.');
  const baseDn = (given['baseDn'] ?? '').trim();
  if (!/^DC=[^,=]+(,DC=[^,=]+)*$/i.test(baseDn.replaceAll(/,\s+/g, ',')) && !/^(OU|CN)=.+,DC=/i.test(baseDn))
    throw new ConnectorError('wrong-version', 'Base DN: expected a name like DC=example,DC=com.');
  const groups = Object.keys(ROLES).map(
    (role) => [role, wordsOf(given[fieldOf(role)] ?? '', /;/).map((name) => name.toLowerCase())] as const,
  );
  return {
    controllers,
    baseDn,
    user: given['user'] ?? '',
    password: given['password'] ?? '',
    certificate: given['certificate'] || null,
    groups: new Map(groups),
  };
}

/** Passwords are changed and proved: nothing is said without encryption. */
function controllerOf(text: string): Controller {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'ldaps:' || url.hostname === '' || url.username !== '')
    throw new ConnectorError('not-reachable', `Domain controllers: expected ldaps://HOST instead of ${text}.`);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { url: text, host, port: url.port === '' ? 636 : Number(url.port) };
}

function wordsOf(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
