import { ConnectorError } from '../base/connector-error.ts';
import type { SettingField, Settings } from '../base/setting-field.ts';

export const SETTINGS: readonly SettingField[] = [
  {
    name: 'url',
    label: 'Address',
    hint: 'smtp://mail.example.com:587, or smtps://mail.example.com:465',
    kind: 'url',
    isRequired: true,
  },
  { name: 'user', label: 'User name', hint: 'Leave empty if it asks for none.', kind: 'text', isRequired: false },
  { name: 'password', label: 'Password', hint: '', kind: 'secret', isRequired: false },
  { name: 'from', label: 'Sender', hint: 'backup@example.com', kind: 'text', isRequired: true },
  {
    name: 'certificate',
    label: 'Certificate',
    hint: "The server's own, or of its authority (PEM). Leave empty if it is trusted publicly.",
    kind: 'file',
    accept: '.pem,.crt',
    isRequired: false,
  },
];

export interface SmtpSettings {
  host: string;
  port: number;
  /** Encrypted from the first byte; otherwise the connection becomes so before anything is said (RFC 3207). */
  isSecure: boolean;
  auth: { user: string; pass: string } | null;
  from: string;
  /** What its certificate is checked with; `null`: the public authorities. */
  certificate: string | null;
}

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+$/;

/** Reads the settings of a form. @throws ConnectorError that names the wrong one */
export function readSettings(given: Settings): SmtpSettings {
  const url = URL.parse(given['url'] ?? '');
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '' || url.username !== '')
    throw new ConnectorError('not-reachable', 'Address: expected smtp://HOST:PORT or smtps://HOST:PORT.');
  const from = given['from'] ?? '';
  if (!ADDRESS.test(from)) throw new ConnectorError('not-allowed', 'Sender: expected one mail address.');
  const isSecure = url.protocol === 'smtps:';
  const user = given['user'] ?? '';
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    auth: user === '' ? null : { user, pass: given['password'] ?? '' },
    from,
    certificate: given['certificate'] || null,
  };
}
