import type { ConnectorContext } from '../base/connector-context.ts';
import { openHttpClient } from '../http/client.ts';
import { parseJson } from '../http/json.ts';
import type { HttpReply } from '../http/message.ts';
import { waitReally } from '../http/wait.ts';
import { followAsyncAction } from './async-actions.ts';
import { isApiKey, keyAuthentication, passwordAuthentication } from './authentication.ts';
import { isTransientRefusal, refusalOf } from './refusal.ts';
import type { VspcSettings } from './settings.ts';

/** Reads from one console. */
export interface VspcClient {
  /**
   * GETs `path` (below `/api/v3/`, without a leading slash) and returns the parsed body of the success, after an
   * asynchronous action if need be. Throws a `ConnectorError` for everything else.
   */
  read(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown>;
  /** Has the console confirm that a user of a company may sign in now. Throws a `ConnectorError` if not. */
  proveUser(userUid: string, signal: AbortSignal): Promise<void>;
  /** Where people open the console. */
  address: string;
  now(): Date;
}

/** All waits for one asynchronous action. The vendor's console itself gives up on most after two minutes. */
const ASYNC_ACTION_WAIT_MS_MAX = 120_000;

export function openVspcClient(settings: VspcSettings, context: ConnectorContext): VspcClient {
  const send = openHttpClient(context, { thumbprint: settings.thumbprint, isTransientReply: isTransientRefusal });
  const { baseUrl, credentials } = settings;
  const now = () => context.now();
  const authentication = isApiKey(credentials)
    ? keyAuthentication(credentials.apiKey)
    : passwordAuthentication(send, { baseUrl, credentials }, now);

  function get(url: URL, token: string, signal: AbortSignal): Promise<HttpReply> {
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    return send({ method: 'GET', url, headers, body: null, isIdempotent: true }, signal);
  }

  /** A token can end at any moment; one that is refused is renewed once. */
  async function getAuthorized(url: URL, signal: AbortSignal): Promise<HttpReply> {
    const token = await authentication.token(signal);
    const reply = await get(url, token, signal);
    if (reply.status !== 401) return reply;
    return get(url, await authentication.token(signal, token), signal);
  }

  async function read(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown> {
    const url = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const what = `GET ${url.origin}${url.pathname}`;
    const reply = await getAuthorized(url, signal);
    if (reply.status === 202) {
      const options = {
        read: (actionPath: string, actionSignal: AbortSignal) => read(actionPath, {}, actionSignal),
        wait: context.wait ?? waitReally,
        waitMsMax: ASYNC_ACTION_WAIT_MS_MAX,
      };
      return followAsyncAction(reply, what, options, signal);
    }
    if (reply.status !== 200) throw refusalOf(reply, what, authentication.secrets());
    return parseJson(reply, what);
  }

  return {
    read,
    proveUser: (userUid, signal) => authentication.proveUser(userUid, signal),
    address: new URL('/', baseUrl).href,
    now,
  };
}
