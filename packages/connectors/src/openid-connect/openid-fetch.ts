import type { CustomFetch } from 'openid-client';
import { ConnectorError } from '../base/connector-error.ts';
import type { HttpRequest, Send } from '../http/message.ts';

const METHODS: readonly HttpRequest['method'][] = ['GET', 'POST'];

/** Lets the library send through the client of all connectors: no private addresses, no redirects, bounded in time and size. */
export function openIdFetch(send: Send, stop: AbortSignal): CustomFetch {
  return async (address, { method, headers, body = null, signal }) => {
    const known = METHODS.find((one) => one === method);
    if (known === undefined || !(body === null || typeof body === 'string' || body instanceof URLSearchParams))
      throw new ConnectorError('bad-reply', 'The library for OpenID Connect sends what this portal does not.');
    const request: HttpRequest = {
      method: known,
      url: new URL(address),
      headers: Object.fromEntries(new Headers(headers).entries()),
      body: body === null ? null : body.toString(),
      isIdempotent: known === 'GET',
    };
    const reply = await send(request, signal === undefined ? stop : AbortSignal.any([stop, signal]));
    const bytes = reply.body.length === 0 ? null : Uint8Array.from(reply.body);
    return new Response(bytes, { status: reply.status, headers: reply.headers });
  };
}
