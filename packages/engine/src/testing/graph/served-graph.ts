import type { IncomingMessage, ServerResponse } from 'node:http';
import { type GraphOptions, openGraphConnection } from '../../source/graph/connection.ts';
import { listen } from '../listen.ts';
import { JumpingClock } from './graph-tenant.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A connection to a server that gives a token to every caller, and answers everything else as the test says. */
export async function serve(answer: Answer, options: Partial<GraphOptions> = {}) {
  let tokens = 0;
  const url = await listen((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      if (!request.url?.endsWith('/token')) return answer(request, response, body);
      tokens += 1;
      json(response, 200, { access_token: `token-${tokens}`, expires_in: 3600 });
    });
  });
  const clock = new JumpingClock();
  const connection = openGraphConnection({
    cloud: 'worldwide',
    tenantId: 'contoso',
    applications: [{ clientId: 'app', secret: 'secret' }],
    loginUrl: url,
    graphUrl: url,
    clock,
    ...options,
  });
  return { connection, clock, countTokens: () => tokens };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export const refusal = (code: string) => ({ error: { code, message: 'No.' } });
