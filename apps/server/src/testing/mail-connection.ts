import { connectors } from '@keepwatch/connectors/registry';
import type { SmtpServer } from '@keepwatch/connectors/testing/smtp-server';
import { sealSettings } from '../connections/connection-settings.ts';
import { insertConnection } from '../connections/connections.ts';
import type { MailServices } from '../connections/send-mail.ts';
import type { Pool } from '../foundation/database.ts';
import { openLog } from '../foundation/log.ts';
import { newId } from '../foundation/secrets.ts';
import { TEST_NOW, TEST_SECRETS } from './test-portal.ts';

/** What the worker sends mails with. */
export const mailServices = (database: Pool): MailServices => ({
  database,
  secrets: TEST_SECRETS,
  connectors,
  allowPrivateAddresses: true,
  log: openLog('silent', 'test'),
  now: () => TEST_NOW,
  publicUrl: 'https://portal.test:8443',
});

/** Connects provider 1 with a mail server of a test. */
export async function connectMailServer(
  database: Pool,
  { url, cert: certificate }: SmtpServer,
  changes: Record<string, string> = {},
): Promise<void> {
  const key = { providerId: 1, id: newId() };
  const { settings: fields } = await connectors.load('mail', 'smtp');
  const given = { url, certificate, user: 'keeper', password: 'secret', from: 'backup@example.org', ...changes };
  const sealed = sealSettings(TEST_SECRETS, key, fields, given);
  const connection = { ...key, port: 'mail', kind: 'smtp', name: 'Mail', isEnabled: true, ...sealed };
  await insertConnection(database, connection, TEST_NOW);
}

/** The text of a received mail, without the line breaks and escapes of its transfer. */
export function plainText(mail: { data: string } | undefined): string {
  return (mail?.data ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
}
