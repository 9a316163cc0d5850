import { type GraphOptions, openGraphConnection } from '../../source/graph/connection.ts';
import type { HttpReply } from '../../source/graph/requests/transport.ts';
import { jsonReply } from '../made-reply.ts';
import { JumpingClock } from './graph-tenant.ts';

export interface Sent {
  method: string;
  url: string;
  token: string | null;
  /** `Content-Range`, of a piece of an upload. */
  range: string | null;
  /** Bytes are not written down. */
  body: string;
}

/** A connection without a server: what it sends is recorded, and answered as the test says. */
export function connectOffline(answer: (sent: Sent, count: number) => HttpReply, options: Partial<GraphOptions> = {}) {
  const sent: Sent[] = [];
  const signIns: Sent[] = [];
  const clock = new JumpingClock();
  const connection = openGraphConnection({
    cloud: 'worldwide',
    tenantId: 'contoso',
    applications: [{ clientId: 'app', secret: 'secret' }],
    clock,
    send: async ({ method, url, headers, body }) => {
      const one = {
        method,
        url,
        token: headers['authorization'] ?? null,
        range: headers['content-range'] ?? null,
        body: typeof body === 'string' ? body : '',
      };
      if (/\/oauth2\/v2\.0\//.test(one.url)) {
        signIns.push(one);
        const client = new URLSearchParams(one.body).get('client_id');
        return jsonReply({ access_token: `${client}-${signIns.length}`, expires_in: 3_600 });
      }
      sent.push(one);
      return answer(one, sent.length);
    },
    ...options,
  });
  return { connection, sent, signIns, clock };
}

export const fine = () => jsonReply({ value: [] });
/** A refusal that names a pause. */
export const throttled = (retryAfter: string) =>
  jsonReply(
    { error: { code: 'TooManyRequests', message: 'No.' } },
    { status: 429, headers: { 'retry-after': retryAfter } },
  );
