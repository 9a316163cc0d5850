import { z } from 'zod';
import { ConnectorError } from '../base/connector-error.ts';
import type { SettingField } from '../base/setting-field.ts';
import { parseAddress, parseGivenThumbprint } from '../http/given-address.ts';

export const VSPC_SETTINGS: readonly SettingField[] = [
  {
    name: 'url',
    label: 'Address',
    hint: 'Example: https://vspc.example.com:1280 (default port 1280)',
    kind: 'url',
    isRequired: true,
  },
  {
    name: 'apiKey',
    label: 'API key',
    hint: 'Create it in the console for a dedicated user. Leave empty to sign in with user name and password.',
    kind: 'secret',
    isRequired: false,
  },
  {
    name: 'username',
    label: 'User name',
    hint: 'Only without an API key. Use a dedicated account without MFA.',
    kind: 'text',
    isRequired: false,
  },
  { name: 'password', label: 'Password', hint: 'Only without an API key.', kind: 'secret', isRequired: false },
  {
    name: 'thumbprint',
    label: 'Certificate thumbprint',
    hint: 'SHA-1 or SHA-256, for a console with a self-signed certificate. Leave empty if the certificate is trusted.',
    kind: 'text',
    isRequired: false,
  },
];

export type VspcCredentials = { apiKey: string } | { username: string; password: string };

export interface VspcSettings {
  /** Ends with `/api/v3/`, so that relative paths resolve below it. */
  baseUrl: URL;
  credentials: VspcCredentials;
  thumbprint: string | null;
}

const optionalText = z.string().trim().max(1000).default('');
const settingsSchema = z.object({
  url: optionalText,
  apiKey: optionalText,
  username: optionalText,
  // Blanks at the ends of a password belong to it.
  password: z.string().max(1000).default(''),
  thumbprint: optionalText,
});

/**
 * Reads what was typed into the form. Unencrypted addresses are accepted only where private addresses are allowed too: in a
 * laboratory. Throws a `ConnectorError` that names the field, never its value when that is secret.
 */
export function parseVspcSettings(settings: Readonly<Record<string, string>>, allowUnencrypted: boolean): VspcSettings {
  const given = settingsSchema.safeParse(settings);
  if (!given.success) throw new ConnectorError('not-reachable', `Settings: ${z.prettifyError(given.error)}`);
  const { url, thumbprint } = given.data;
  return {
    baseUrl: parseBaseUrl(url, allowUnencrypted),
    credentials: parseCredentials(given.data),
    thumbprint: parseGivenThumbprint(thumbprint),
  };
}

function parseBaseUrl(text: string, allowUnencrypted: boolean): URL {
  const url = parseAddress(text, allowUnencrypted);
  // People copy the address with or without the path of the API, or with that of the console's own pages.
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api\/v3$/i, '');
  return new URL(`${path}/api/v3/`, url.origin);
}

function parseCredentials(given: { apiKey: string; username: string; password: string }): VspcCredentials {
  const { apiKey, username, password } = given;
  if (apiKey !== '') {
    // What a header cannot carry is refused here, where the message cannot quote it.
    if (!/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new ConnectorError(
        'wrong-credentials',
        'API key: it contains blanks or letters that no key has; copy it again',
      );
    }
    return { apiKey };
  }
  if (username === '' || password === '') {
    throw new ConnectorError('wrong-credentials', 'Enter an API key, or both user name and password');
  }
  return { username, password };
}
