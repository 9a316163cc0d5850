import type { OutgoingMail } from '@keepwatch/connectors/ports/mail';
import { type UseServices, useConnection } from './use-connection.ts';

export interface MailServices extends UseServices {
  /** The address of the portal; a brand with a host name of its own has that in its place. */
  publicUrl: string;
}

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
  const sent = await useConnection(
    services,
    providerId,
    'mail',
    async (server) => {
      await server.send(mail, signal);
      return mail;
    },
    'A mail was accepted.',
  );
  return sent !== null;
}
