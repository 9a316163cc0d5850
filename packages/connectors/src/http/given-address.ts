import { ConnectorError } from '../base/connector-error.ts';
import { parseThumbprint } from './thumbprint.ts';

/** Reads an address that was typed into a form. Throws a `ConnectorError` that says what is expected. */
export function parseAddress(text: string, allowUnencrypted: boolean, label = 'Address'): URL {
  const url = URL.parse(text);
  const protocols = allowUnencrypted ? ['https:', 'http:'] : ['https:'];
  if (!url || !protocols.includes(url.protocol) || url.username || url.password)
    throw new ConnectorError(
      'not-reachable',
      `${label}: expected one that begins with https:// and has no user name in it`,
    );
  return url;
}

/** Reads a thumbprint that was typed into a form, where an empty one is none. Throws a `ConnectorError` that says what is expected. */
export function parseGivenThumbprint(text: string): string | null {
  if (text === '') return null;
  const thumbprint = parseThumbprint(text);
  if (thumbprint !== null) return thumbprint;
  throw new ConnectorError(
    'not-reachable',
    'Certificate thumbprint: expected 40 (SHA-1) or 64 (SHA-256) hexadecimal digits',
  );
}
