import { ConnectorError } from '../base/connector-error.ts';
import type { SettingField, Settings } from '../base/setting-field.ts';

export const SETTINGS: readonly SettingField[] = [
  {
    name: 'user',
    label: 'API key or account',
    hint: 'SID of an API key (SK…), or of the account (AC…).',
    kind: 'text',
    isRequired: true,
  },
  {
    name: 'secret',
    label: 'Secret',
    hint: 'Secret of the API key, or the auth token of the account.',
    kind: 'secret',
    isRequired: true,
  },
  { name: 'service', label: 'Verify service', hint: 'Its SID (VA…).', kind: 'text', isRequired: true },
  {
    name: 'messagesADay',
    label: 'Messages a day',
    hint: 'How many you are ready to pay for. Further ones are not sent until the next day.',
    kind: 'number',
    min: 1,
    max: 100_000,
    isRequired: true,
  },
  {
    name: 'url',
    label: 'Address',
    hint: 'Leave empty for Twilio itself.',
    kind: 'url',
    isRequired: false,
  },
];

export interface TwilioSettings {
  user: string;
  secret: string;
  service: string;
  messagesADayMax: number;
  verifyUrl: URL;
  lookupsUrl: URL;
}

/** Reads the settings of a form. Throws a `ConnectorError` that names the wrong one, never its value when that is secret. */
export function readSettings(given: Settings, allowUnencrypted: boolean): TwilioSettings {
  const { user = '', secret = '', service = '', url = '' } = given;
  if (!/^(AC|SK)[0-9a-f]{32}$/i.test(user))
    throw new ConnectorError('wrong-credentials', 'API key or account: expected SK or AC and 32 letters and digits.');
  if (!/^[\x21-\x7e]+$/.test(secret))
    throw new ConnectorError(
      'wrong-credentials',
      'Secret: it contains blanks or letters that none has; copy it again.',
    );
  if (!/^VA[0-9a-f]{32}$/i.test(service))
    throw new ConnectorError('wrong-credentials', 'Verify service: expected VA and 32 letters and digits.');
  return {
    ...{ user, secret, service, messagesADayMax: Number(given['messagesADay'] ?? '') },
    verifyUrl: addressOf(url, 'https://verify.twilio.com', allowUnencrypted),
    lookupsUrl: addressOf(url, 'https://lookups.twilio.com', allowUnencrypted),
  };
}

/** Unencrypted addresses are accepted only where private ones are allowed, too: in a laboratory. */
function addressOf(given: string, usual: string, allowUnencrypted: boolean): URL {
  const url = URL.parse(given === '' ? usual : given);
  const protocols = allowUnencrypted ? ['https:', 'http:'] : ['https:'];
  if (url === null || !protocols.includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new ConnectorError(
      'not-reachable',
      'Address: expected one that begins with https:// and has no user name in it.',
    );
  return url;
}
