import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { Client } from 'ldapts';
import { isRefusedInDigits, resolveName } from '../base/addresses.ts';
import type { ConnectorContext } from '../base/connector-context.ts';
import { ConnectorError } from '../base/connector-error.ts';
import { addressRefusal, checkedLookup } from '../http/checked-lookup.ts';
import { DirectoryRefusal } from '../ports/user-directory.ts';
import { directoryError, isWorthAnother } from './refusals.ts';
import type { Controller, DirectorySettings } from './settings.ts';

const CONNECT_MS = 5_000;
const ANSWER_MS = 15_000;

/** A connection to a controller, signed in with the account of the settings. */
export interface DirectorySession {
  client: Client;
  controller: Controller;
  /** Whether a person has this name and password. The connection is that of the settings' account again afterwards. */
  prove(dn: string, password: string): Promise<void>;
}

/**
 * Does something at the first controller that lets the account of the settings in, over a connection that ends with it. What was begun at
 * one is not begun again at another: a password may be changed although the reply was lost.
 * @param what is done, beginning the sentence of an error
 */
export async function atController<T>(
  settings: DirectorySettings,
  context: ConnectorContext,
  signal: AbortSignal,
  what: string,
  work: (session: DirectorySession) => Promise<T>,
): Promise<T> {
  const { client, controller } = await enterFirst(settings, context, signal, what);
  const stop = () => void close(client);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await work({ client, controller, prove: (dn, password) => prove(client, settings, dn, password) });
  } catch (error) {
    signal.throwIfAborted();
    throw directoryError(error, what);
  } finally {
    signal.removeEventListener('abort', stop);
    await close(client);
  }
}

type Entered = Pick<DirectorySession, 'client' | 'controller'>;

async function enterFirst(
  settings: DirectorySettings,
  context: ConnectorContext,
  signal: AbortSignal,
  what: string,
): Promise<Entered> {
  const failures: Error[] = [];
  for (const controller of settings.controllers) {
    signal.throwIfAborted();
    const client = openClient(controller, settings, context);
    try {
      await enter(client, controller, settings);
      return { client, controller };
    } catch (error) {
      await close(client);
      const named = directoryError(error, `${what}: ${controller.url}`);
      if (!isWorthAnother(error)) throw named;
      context.log('warn', 'a domain controller did not answer', { controller: controller.url, reason: named.message });
      failures.push(named);
    }
  }
  throw new ConnectorError('not-reachable', failures.map(({ message }) => message).join('; '));
}

function openClient({ url, host, port }: Controller, { certificate }: DirectorySettings, context: ConnectorContext) {
  const { allowPrivateAddresses, resolveName: resolve = resolveName } = context;
  // An address in digits is never looked up, so it is checked here.
  if (!allowPrivateAddresses && isRefusedInDigits(host)) throw addressRefusal(url);
  const tlsOptions: ConnectionOptions = {
    lookup: checkedLookup(resolve, allowPrivateAddresses),
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(certificate === null ? {} : { ca: certificate }),
  };
  const address = `ldaps://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  return new Client({ url: address, connectTimeout: CONNECT_MS, timeout: ANSWER_MS, tlsOptions });
}

/** What is refused here is the portal's account, not a person. */
async function enter(client: Client, { url }: Controller, { user, password }: DirectorySettings): Promise<void> {
  // A bind with a name and without a password succeeds, and proves nothing (RFC 4513, 5.1.2).
  if (password === '') throw new ConnectorError('wrong-credentials', 'Password: enter that of the account.');
  try {
    await client.bind(user, password);
  } catch (error) {
    const named = directoryError(error, url);
    if (!(named instanceof DirectoryRefusal)) throw error;
    const message = `The domain controller ${url} refused the account ${user}: ${named.reason}. Check its name and password.`;
    throw new ConnectorError('wrong-credentials', message, { cause: error });
  }
}

async function prove(client: Client, { user, password: own }: DirectorySettings, dn: string, password: string) {
  if (password === '') throw new DirectoryRefusal('wrong-credentials');
  await client.bind(dn, password);
  await client.bind(user, own);
}

async function close(client: Client): Promise<void> {
  await client.unbind().catch(() => undefined);
}
