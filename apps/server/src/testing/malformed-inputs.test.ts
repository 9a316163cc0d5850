import { calls } from '@keepwatch/contract/calls';
import { createIntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import type { Call } from '@keepwatch/contract/wire/call';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { openSession } from '../identity/sessions.ts';
import { type AnyRequest, type KnownValues, requestsOf } from './call-input.ts';
import { type Chance, chanceOf, type MalformedRequest, malformed } from './malformed-input.ts';
import { RawConnection, type RawReply } from './raw-http.ts';
import { daysAgo } from './report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from './test-portal.ts';
import { buildTwoProviders } from './two-providers.ts';

/** Requests over all calls; half of them by a user who may make every call, the others by strangers. */
const REQUESTS = tries(5_000, 100_000);
const AT_ONCE = 4;
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

const all = Object.entries(calls);
const each = Math.ceil(REQUESTS / all.length);
let portal: TestPortal;
let user: Caller;
let intakeToken: string;
let known: KnownValues;

beforeAll(async () => {
  console.info(`Malformed inputs of seed ${SEED}: SEED=${SEED} repeats them.`);
  // By the address that the proxy in front names, so that the limit of one address does not answer for the calls.
  portal = await startTestPortal(undefined, { trustedProxies: 1 });
  const world = await buildTwoProviders(portal.database);
  user = await portal.as(['admin', 'operator', 'super-admin', 'o365_admin']);
  const companyId = world.companies[0]?.id ?? '';
  intakeToken = (await user.call(createIntakeToken, { body: { name: 'Malformed', companyId } })).token;
  known = {
    companyIds: world.companies.map(({ id }) => id),
    ids: [...world.ids, user.userId],
    texts: ['mark', '%', 'x'],
    vendorIds: ['vac-p1amark'],
    instants: [daysAgo(30), daysAgo(2), TEST_NOW].map((instant) => instant.toISOString()),
  };
});
afterAll(() => portal.stop());

describe('whatever is sent to a call', () => {
  it.each(all.map(([name, call], index) => ({ name, call, index })))(
    '$name: is answered without a fault, in the shape and with the headers of all replies',
    async ({ call, index }) => {
      const chance = chanceOf(SEED + index);
      const valid = fc.sample(requestsOf(call, known), { numRuns: 40, seed: SEED + index });
      const requests = Array.from({ length: each }, (_, n) => requestOf(call, valid, n, chance));
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, n) =>
          sendAll(
            requests.filter((_one, at) => at % AT_ONCE === n),
            call,
          ),
        ),
      );
    },
    60_000,
  );

  it('was tried often enough', () => {
    expect(each * all.length).toBeGreaterThanOrEqual(REQUESTS);
  });
});

/** A report goes to a token that exists, as long as nothing is wrong with just that. */
function requestOf(call: Call, valid: readonly AnyRequest[], n: number, chance: Chance): MalformedRequest {
  const chosen = valid[n % valid.length];
  if (chosen === undefined) throw new Error('There is no valid request.');
  const isReport = call.textBodyBytesMax !== undefined;
  const address = isReport ? chosen.address.replace(/intake\/[^?]*/, `intake/${intakeToken}`) : chosen.address;
  const body = isReport
    ? JSON.stringify({ job: 'x', startedAt: TEST_NOW, durationMs: 1, result: 'Success', message: 'm', log: ['a'] })
    : chosen.body;
  return malformed(call, { ...chosen, address, ...(body === undefined ? {} : { body }) }, chance);
}

async function sendAll(requests: readonly MalformedRequest[], call: Call): Promise<void> {
  const connection = new RawConnection(portal.url);
  for (const [n, request] of requests.entries()) {
    const token = n % 2 === 0 || call.access === 'public' ? user.token : null;
    const reply = await connection.send(bytesOf(request, token));
    requireShape(reply, request);
    // A sign-out that nothing was wrong with ends the session.
    if (call.path === '/auth/logout' && reply.status === 200)
      user.token = await openSession(portal.database, { providerId: 1, id: user.userId }, TEST_NOW, '127.0.0.1');
  }
  connection.close();
}

let sent = 0;

function bytesOf({ method, address, headers, body }: MalformedRequest, token: string | null): Buffer {
  sent += 1;
  const own = [
    ...headers,
    ...(token === null || headers.some((header) => header.startsWith('Authorization'))
      ? []
      : [`Authorization: Bearer ${token}`]),
    `X-Forwarded-For: 10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`,
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${method} ${address} HTTP/1.1\r\n${own.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}

/** A reply that a program can rely on: no fault, its headers, and an error in the one shape. */
function requireShape(reply: RawReply, request: MalformedRequest): void {
  const { status, headers } = reply;
  const wrong = [
    status >= 500 ? `status ${status}` : null,
    headers.get('x-content-type-options') === 'nosniff' ? null : 'no security headers',
    headers.get('content-security-policy')?.includes("frame-ancestors 'none'") ? null : 'no content policy',
    headers.has('x-request-id') ? null : 'no request id',
    status >= 400 && request.method !== 'HEAD' && !isError(reply) ? 'another shape' : null,
  ].filter((one) => one !== null);
  if (wrong.length === 0) return;
  const sentText = `${request.method} ${request.address}\n${request.headers.join('\n')}\n\n${request.body.toString('latin1')}`;
  throw new Error(`${wrong.join(', ')}: ${reply.body.slice(0, 500)}\nSeed ${SEED} sent:\n${sentText.slice(0, 2_000)}`);
}

function isError({ body, headers }: RawReply): boolean {
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return false;
  const { success, code, message, requestId } = JSON.parse(body);
  return (
    success === false && /^[A-Z_\d]+$/.test(code) && message.length > 5 && requestId === headers.get('x-request-id')
  );
}
