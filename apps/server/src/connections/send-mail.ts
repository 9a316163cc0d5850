import { ConnectorError, type ConnectorErrorKind } from '@keepwatch/connectors/base/connector-error';
import type { OutgoingMail } from '@keepwatch/connectors/ports/mail';
import { type Pool, transaction } from '../foundation/database.ts';
import type { ConnectionServices } from './connection-services.ts';
import { openSettings, openVendor } from './connection-settings.ts';
import { connectionsOf, type RecordedHealth, recordHealth, type StoredConnection } from './connections.ts';

export interface MailServices extends ConnectionServices {
  database: Pool;
  /** The address of the portal; a brand with a host name of its own has that in its place. */
  publicUrl: string;
}

/** A refused recipient, and a server that is busy, say nothing of the connection. */
const OF_ONE_MAIL: readonly ConnectorErrorKind[] = ['not-allowed', 'throttled'];

/**
 * Sends a mail by the mail server of a provider, and records how the server fared.
 * @returns `false` where none is connected
 * @throws ConnectorError why it was not accepted
 */
export async function sendMail(
  services: MailServices,
  providerId: number,
  mail: OutgoingMail,
  signal: AbortSignal,
): Promise<boolean> {
  const [stored] = await connectionsOf(services.database, providerId, 'mail');
  if (stored === undefined) return false;
  const manifest = await services.connectors.load('mail', stored.kind);
  try {
    await openVendor(services, manifest, openSettings(services.secrets, stored)).send(mail, signal);
  } catch (error) {
    if (error instanceof ConnectorError && !OF_ONE_MAIL.includes(error.kind))
      await recordWithin(services, stored, { state: 'failing', message: error.message });
    throw error;
  }
  await recordWithin(services, stored, { state: 'ok', message: 'A mail was accepted.' });
  return true;
}

function recordWithin(services: MailServices, stored: StoredConnection, health: RecordedHealth): Promise<void> {
  return transaction(services.database, (connection) => recordHealth(connection, stored, health, services.now()));
}
