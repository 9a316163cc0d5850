import { ConnectorError } from '@keepwatch/connectors/base/connector-error';
import type { SmsCodes } from '@keepwatch/connectors/ports/sms-codes';
import type { ConnectionServices } from '../../connections/connection-services.ts';
import { useConnection } from '../../connections/use-connection.ts';
import { conflict, Refusal } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';

/** Services with which codes are sent. */
export type SmsServices = ConnectionServices;

/** The port of the service that sends codes. */
export const SMS_PORT = 'sms-codes';

/**
 * Does something with the service that sends codes for a provider. Throws 409 where none is connected, or it refuses or fails, and 429
 * where it has had enough of a number.
 */
export async function withSmsCodes<T extends object>(
  context: PublicContext,
  services: SmsServices,
  providerId: number,
  work: (codes: SmsCodes) => Promise<T>,
): Promise<T> {
  const parts = { ...services, database: context.database };
  const used = useConnection(parts, providerId, SMS_PORT, work, 'A code was sent or checked.');
  const done = await used.catch((error) => {
    throw error instanceof ConnectorError ? refusalOf(error) : error;
  });
  if (done === null) throw conflict('Your provider sends no codes to phones. Use another second factor.');
  return done;
}

/** What the vendor says is for the administrator, who sees it on the connection. */
function refusalOf(error: ConnectorError): Refusal {
  if (error.kind === 'throttled')
    return new Refusal(
      429,
      'TOO_MANY_TRIES',
      'Too many codes for this phone. Wait ten minutes and ask for a new one.',
      {
        retryAfterSeconds: 600,
        cause: error,
      },
    );
  const message =
    error.kind === 'not-allowed'
      ? 'No code can be sent to this phone. Use another second factor.'
      : 'Codes cannot be sent at the moment. Use another second factor, or try again later.';
  return new Refusal(409, 'CONFLICT', message, { cause: error });
}
