import { z } from 'zod';
import type { ConnectorContext } from '../base/connector-context.ts';
import { ConnectorError } from '../base/connector-error.ts';
import { openHttpClient } from '../http/client.ts';
import { parseJson } from '../http/json.ts';
import type { HttpReply, HttpRequest } from '../http/message.ts';
import type { ZertoSettings } from './settings.ts';

/** Talks to one appliance. */
export interface ZertoClient {
  /** Calls `path` below `/v1/`, with a body as POST, and returns the JSON of the success. Throws a `ConnectorError` for everything else. */
  call(path: string, body: object | null, signal: AbortSignal): Promise<unknown>;
  /** As the companies open it. */
  portal: URL;
}

const tokenReply = z.object({ access_token: z.string().min(1) });

export function openZertoClient(settings: ZertoSettings, context: ConnectorContext): ZertoClient {
  const send = openHttpClient(context, { thumbprint: settings.thumbprint });
  let token: string | null = null;

  async function signIn(signal: AbortSignal): Promise<string> {
    const { clientId, clientSecret, origin } = settings;
    const url = new URL('auth/realms/zerto/protocol/openid-connect/token', origin);
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const reply = await send({ method: 'POST', url, headers, body: form.toString(), isIdempotent: true }, signal);
    if (reply.status === 400 || reply.status === 401)
      throw new ConnectorError('wrong-credentials', 'Zerto refuses client id or client secret');
    if (reply.status !== 200) throw refusalOf(reply, 'Signing in to Zerto');
    const read = tokenReply.safeParse(parseJson(reply, 'Signing in to Zerto'));
    if (read.success) return read.data.access_token;
    throw new ConnectorError(
      'wrong-version',
      'What answers there is not an appliance of Zerto 10 or newer; check the address',
    );
  }

  function ask(url: URL, body: object | null, bearer: string, signal: AbortSignal): Promise<HttpReply> {
    const headers = { accept: 'application/json', authorization: `Bearer ${bearer}` };
    const request: HttpRequest =
      body === null
        ? { method: 'GET', url, headers, body: null, isIdempotent: true }
        : {
            method: 'POST',
            url,
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
            isIdempotent: false,
          };
    return send(request, signal);
  }

  return {
    portal: settings.portal,
    async call(path, body, signal) {
      const url = new URL(`v1/${path}`, settings.origin);
      token ??= await signIn(signal);
      let reply = await ask(url, body, token, signal);
      if (reply.status === 401) {
        token = await signIn(signal);
        reply = await ask(url, body, token, signal);
      }
      const what = `Zerto's ${path}`;
      if (reply.status !== 200) throw refusalOf(reply, what);
      return parseJson(reply, what);
    },
  };
}

/** What it says of an error is described nowhere, so the status alone speaks. */
function refusalOf({ status }: HttpReply, what: string): ConnectorError {
  const text = `${what} answered ${status}`;
  if (status === 401 || status === 403)
    return new ConnectorError('not-allowed', `${text}; give the client a role that may do this`);
  if (status === 404)
    return new ConnectorError('wrong-version', `${text}; an appliance of Zerto 10 or newer is needed there`);
  if (status >= 500) return new ConnectorError('not-reachable', `${text}; the appliance has a fault of its own`);
  return new ConnectorError('bad-reply', text);
}
