import { type GraphOptions, openGraphConnection } from '../source/graph/connection.ts';
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

/** A connection to nobody: what it sends is written down, and answered as the test says. */
export function connectToNobody(answer: (sent: Sent, count: number) => Response, options: Partial<GraphOptions> = {}) {
  const sent: Sent[] = [];
  const signIns: Sent[] = [];
  const clock = new JumpingClock();
  const connection = openGraphConnection({
    cloud: 'worldwide',
    tenantId: 'contoso',
    applications: [{ clientId: 'app', secret: 'secret' }],
    clock,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      const one = {
        method: init?.method ?? 'GET',
        url: String(input),
        token: headers.get('authorization'),
        range: headers.get('content-range'),
        body: textOf(init?.body),
      };
      if (/\/oauth2\/v2\.0\//.test(one.url)) {
        signIns.push(one);
        const client = new URLSearchParams(one.body).get('client_id');
        return Response.json({ access_token: `${client}-${signIns.length}`, expires_in: 3_600 });
      }
      sent.push(one);
      return answer(one, sent.length);
    },
    ...options,
  });
  return { connection, sent, signIns, clock };
}

const textOf = (body: unknown): string =>
  typeof body === 'string' || body instanceof URLSearchParams ? String(body) : '';

export const fine = () => Response.json({ value: [] });
/** A refusal that names a pause. */
export const throttled = (retryAfter: string) =>
  Response.json(
    { error: { code: 'TooManyRequests', message: 'No.' } },
    { status: 429, headers: { 'retry-after': retryAfter } },
  );
