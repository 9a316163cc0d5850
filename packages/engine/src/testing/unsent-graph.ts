import { type GraphOptions, openGraphConnection } from '../source/graph/connection.ts';
import { JumpingClock } from './graph-tenant.ts';

export interface Sent {
  url: string;
  token: string | null;
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
      const one = {
        url: String(input),
        token: new Headers(init?.headers).get('authorization'),
        body: String(init?.body ?? ''),
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

export const fine = () => Response.json({ value: [] });
/** A refusal that names a pause. */
export const throttled = (retryAfter: string) =>
  Response.json(
    { error: { code: 'TooManyRequests', message: 'No.' } },
    { status: 429, headers: { 'retry-after': retryAfter } },
  );
