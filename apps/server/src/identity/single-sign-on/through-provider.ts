import { ConnectorError } from '@keepwatch/connectors/base/connector-error';
import type { IdentityProvider } from '@keepwatch/connectors/ports/identity-provider';
import { record } from '../../audit/audit.ts';
import type { ConnectionServices } from '../../connections/connection-services.ts';
import type { StoredConnection } from '../../connections/connections.ts';
import { openConnection, recordUse } from '../../connections/use-connection.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { IDENTITY_PORT } from './sign-in-ways.ts';

/**
 * Works with an identity provider. What goes wrong is in the users logs with its reason, and in the health of the connection if it says something of
 * that; the person reads what to do next, and nothing of either. @throws Refusal
 */
export async function throughProvider<T>(
  context: PublicContext,
  services: ConnectionServices,
  stored: StoredConnection,
  work: (provider: IdentityProvider, gone: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    const provider = await openConnection(services, IDENTITY_PORT, stored);
    const result = await context.outside((gone) => work(provider, gone));
    await recordUse(context, stored, { state: 'ok', message: 'It was used to sign in.' });
    return result;
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    await recordFailure(context, stored, error);
    throw refusalOf(error, stored.name);
  }
}

async function recordFailure(context: PublicContext, stored: StoredConnection, error: ConnectorError): Promise<void> {
  const { providerId, id } = stored;
  await record(context.database, context, {
    action: 'session.refused',
    target: { kind: 'connection', id },
    who: { providerId, userId: null, username: '-' },
    after: { reason: error.message },
  });
  // A code that is refused says nothing of the connection: any browser can send one.
  if (error.kind === 'wrong-credentials' || error.kind === 'not-reachable')
    await recordUse(context, stored, { state: 'failing', message: error.message });
}

function refusalOf({ kind }: ConnectorError, name: string): Refusal {
  if (kind === 'not-reachable' || kind === 'throttled') {
    const message = `${name} does not answer. Try again in a few minutes, or ask your administrator.`;
    return new Refusal(503, 'IDENTITY_PROVIDER_FAILED', message);
  }
  const message = `${name} did not confirm who you are. Log in again; if that does not help, ask your administrator.`;
  return new Refusal(401, 'IDENTITY_PROVIDER_FAILED', message);
}
