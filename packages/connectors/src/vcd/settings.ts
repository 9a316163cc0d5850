import { z } from 'zod';
import { ConnectorError } from '../base/connector-error.ts';
import type { SettingField } from '../base/setting-field.ts';
import { parseAddress, parseGivenThumbprint } from '../http/given-address.ts';

export const VCD_SETTINGS: readonly SettingField[] = [
  {
    name: 'url',
    label: 'Address',
    hint: 'Example: https://cloud.example.com',
    kind: 'url',
    isRequired: true,
  },
  {
    name: 'username',
    label: 'User name',
    hint: 'Of a dedicated account of the provider, without the organization: it signs in to System.',
    kind: 'text',
    isRequired: true,
  },
  { name: 'password', label: 'Password', hint: 'Of that account.', kind: 'secret', isRequired: true },
  {
    name: 'thumbprint',
    label: 'Certificate thumbprint',
    hint: 'SHA-1 or SHA-256, for a self-signed certificate. Leave empty if the certificate is trusted.',
    kind: 'text',
    isRequired: false,
  },
];

export interface VcdSettings {
  /** Of the server, without a path. */
  origin: URL;
  username: string;
  password: string;
  thumbprint: string | null;
}

const given = z.object({
  url: z.string().trim().max(1000).default(''),
  username: z.string().trim().max(1000).default(''),
  // Blanks at the ends of a password belong to it.
  password: z.string().max(1000).default(''),
  thumbprint: z.string().trim().max(1000).default(''),
});

/** Reads what was typed into the form. Throws a `ConnectorError` that names the field, never its value when that is secret. */
export function parseVcdSettings(settings: Readonly<Record<string, string>>, allowUnencrypted: boolean): VcdSettings {
  const read = given.safeParse(settings);
  if (!read.success) throw new ConnectorError('not-reachable', `Settings: ${z.prettifyError(read.error)}`);
  const { url, username, password, thumbprint } = read.data;
  if (username === '' || password === '' || username.includes(':'))
    throw new ConnectorError('wrong-credentials', 'Enter both user name and password, the name without a colon');
  return {
    origin: new URL('/', parseAddress(url, allowUnencrypted)),
    username: username.includes('@') ? username : `${username}@System`,
    password,
    thumbprint: parseGivenThumbprint(thumbprint),
  };
}
