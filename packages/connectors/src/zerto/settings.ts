import { z } from 'zod';
import { ConnectorError } from '../base/connector-error.ts';
import type { SettingField } from '../base/setting-field.ts';
import { parseAddress, parseGivenThumbprint } from '../http/given-address.ts';

export const ZERTO_SETTINGS: readonly SettingField[] = [
  {
    name: 'url',
    label: 'Address',
    hint: 'Of the appliance (version 10 and newer). Example: https://zvm.example.com',
    kind: 'url',
    isRequired: true,
  },
  {
    name: 'portalUrl',
    label: 'Address of the Self-Service Portal',
    hint: 'As the companies open it. Example: https://zssp.example.com:9779',
    kind: 'url',
    isRequired: true,
  },
  {
    name: 'clientId',
    label: 'Client id',
    hint: 'Of a client made for this portal in the identity management of the appliance.',
    kind: 'text',
    isRequired: true,
  },
  { name: 'clientSecret', label: 'Client secret', hint: 'Of that client.', kind: 'secret', isRequired: true },
  {
    name: 'thumbprint',
    label: 'Certificate thumbprint',
    hint: 'SHA-1 or SHA-256, for a self-signed certificate. Leave empty if the certificate is trusted.',
    kind: 'text',
    isRequired: false,
  },
];

export interface ZertoSettings {
  origin: URL;
  portal: URL;
  clientId: string;
  clientSecret: string;
  thumbprint: string | null;
}

const optionalText = z.string().trim().max(1000).default('');
const given = z.object({
  url: optionalText,
  portalUrl: optionalText,
  clientId: optionalText,
  clientSecret: optionalText,
  thumbprint: optionalText,
});

/** Reads what was typed into the form. Throws a `ConnectorError` that names the field, never its value when that is secret. */
export function parseZertoSettings(
  settings: Readonly<Record<string, string>>,
  allowUnencrypted: boolean,
): ZertoSettings {
  const read = given.safeParse(settings);
  if (!read.success) throw new ConnectorError('not-reachable', `Settings: ${z.prettifyError(read.error)}`);
  const { url, portalUrl, clientId, clientSecret, thumbprint } = read.data;
  if (clientId === '' || clientSecret === '')
    throw new ConnectorError('wrong-credentials', 'Enter both client id and client secret');
  return {
    origin: new URL('/', parseAddress(url, allowUnencrypted)),
    portal: parseAddress(portalUrl, allowUnencrypted, 'Address of the Self-Service Portal'),
    clientId,
    clientSecret,
    thumbprint: parseGivenThumbprint(thumbprint),
  };
}
