import { z } from 'zod';
import type { ConnectorContext } from '../base/connector-context.ts';
import { ConnectorError } from '../base/connector-error.ts';
import { openHttpClient } from '../http/client.ts';
import { parseJson } from '../http/json.ts';
import type { HttpReply } from '../http/message.ts';
import type { VcdSettings } from './settings.ts';

/** Reads from one Cloud Director, as an account of the provider. */
export interface VcdClient {
  /** GETs `path` below `/cloudapi/`. Throws a `ConnectorError` for everything but a success; `not-allowed` also where there is no such thing. */
  read(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown>;
  origin: URL;
}

/** The version of the interface whose description this is written from. */
const ACCEPT = 'application/json;version=37.2';
const TOKEN_HEADER = 'x-vmware-vcloud-access-token';
const TEXT_LENGTH_MAX = 500;

export function openVcdClient(settings: VcdSettings, context: ConnectorContext): VcdClient {
  const send = openHttpClient(context, { thumbprint: settings.thumbprint });
  let token: string | null = null;

  async function signIn(signal: AbortSignal): Promise<string> {
    const url = new URL('cloudapi/1.0.0/sessions/provider', settings.origin);
    const pair = Buffer.from(`${settings.username}:${settings.password}`).toString('base64');
    const headers = { accept: ACCEPT, authorization: `Basic ${pair}` };
    const reply = await send({ method: 'POST', url, headers, body: null, isIdempotent: true }, signal);
    if (reply.status === 401)
      throw new ConnectorError('wrong-credentials', 'Cloud Director refuses user name or password');
    if (reply.status !== 200) throw refusalOf(reply, 'Signing in to Cloud Director', [settings.password]);
    const given = reply.headers[TOKEN_HEADER];
    if (given === undefined || given === '')
      throw new ConnectorError(
        'wrong-version',
        'What answers there is not a Cloud Director with REST API 37.2; check the address',
      );
    return given;
  }

  const get = (url: URL, bearer: string, signal: AbortSignal) =>
    send(
      {
        method: 'GET',
        url,
        headers: { accept: ACCEPT, authorization: `Bearer ${bearer}` },
        body: null,
        isIdempotent: true,
      },
      signal,
    );

  async function read(path: string, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<unknown> {
    const url = new URL(`cloudapi/${path}`, settings.origin);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    token ??= await signIn(signal);
    let reply = await get(url, token, signal);
    if (reply.status === 401) {
      token = await signIn(signal);
      reply = await get(url, token, signal);
    }
    if (reply.status === 200) return parseJson(reply, `GET ${url.pathname}`);
    throw refusalOf(reply, `GET ${url.pathname}`, [settings.password, token]);
  }

  return { read, origin: settings.origin };
}

/** `Error` of the description. */
const vendorError = z.object({ message: z.string() });

function refusalOf(reply: HttpReply, what: string, secrets: readonly string[]): ConnectorError {
  const said = saidIn(reply);
  const quoted = secrets.reduce((text, secret) => text.replaceAll(secret, '(secret)'), said).slice(0, TEXT_LENGTH_MAX);
  const text = `${what} answered ${reply.status}${quoted === '' ? '' : `: "${quoted}"`}`;
  if (reply.status === 403)
    return new ConnectorError('not-allowed', `${text}; give the account a role that may read this`);
  if (reply.status >= 500) return new ConnectorError('not-reachable', `${text}; the server has a fault of its own`);
  if (reply.status === 404 || reply.status === 406)
    return new ConnectorError('wrong-version', `${text}; a Cloud Director with REST API 37.2 is needed there`);
  return new ConnectorError('bad-reply', text);
}

function saidIn(reply: HttpReply): string {
  try {
    return vendorError.parse(JSON.parse(Buffer.from(reply.body).toString('utf8'))).message;
  } catch {
    // A page of a proxy, perhaps: then the status alone speaks.
    return '';
  }
}
