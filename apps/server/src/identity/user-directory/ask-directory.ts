import { ConnectorError } from '@keepwatch/connectors/base/connector-error';
import { DirectoryRefusal, type UserDirectory } from '@keepwatch/connectors/ports/user-directory';
import type { ConnectionServices } from '../../connections/connection-services.ts';
import { connectionsOf, type RecordedHealth, type StoredConnection } from '../../connections/connections.ts';
import { openConnection, recordUse } from '../../connections/use-connection.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';

type Context = Pick<PublicContext, 'database' | 'outside'>;

interface Question<T> {
  providerId: number;
  /** What people read where the directory does not answer. */
  failure: string;
  ask: (directory: UserDirectory, gone: AbortSignal) => Promise<T>;
}

/**
 * Asks the directory of a provider for something in a request, and records whether it answered.
 * @throws DirectoryRefusal for what it refused a person; Refusal 409 where none is connected, and 503 where it does not answer
 */
export async function askDirectory<T>(
  context: Context,
  services: ConnectionServices,
  { providerId, failure, ask }: Question<T>,
): Promise<T> {
  const [stored] = await connectionsOf(context.database, providerId, 'user-directory');
  if (stored === undefined)
    throw new Refusal(409, 'NO_DIRECTORY', 'No Active Directory is connected. Ask the administrator of your portal.');
  const { database } = context;
  const record = (health: RecordedHealth) => recordUse({ database, now: services.now }, stored, health);
  try {
    const answer = await context.outside(async (gone) => ask(await openDirectory(services, stored), gone));
    await record(WORKS);
    return answer;
  } catch (error) {
    if (error instanceof DirectoryRefusal) await record(WORKS);
    if (!(error instanceof ConnectorError)) throw error;
    services.log.warn({ err: error, connectionId: stored.id }, 'A directory could not be asked.');
    // What the account of the connection may not do says nothing of whether people can sign in.
    if (error.kind !== 'not-allowed') await record({ state: 'failing', message: error.message });
    throw new Refusal(503, 'DIRECTORY_UNREACHABLE', failure, { cause: error });
  }
}

const WORKS: RecordedHealth = { state: 'ok', message: 'It answers.' };

export function openDirectory(services: ConnectionServices, stored: StoredConnection): Promise<UserDirectory> {
  return openConnection(services, 'user-directory', stored);
}
