import { allows, ROLES } from '@keepwatch/contract/abilities';
import { getBranding } from '@keepwatch/contract/branding/branding';
import { calls } from '@keepwatch/contract/calls';
import { type Call, declareCall } from '@keepwatch/contract/wire/call';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answer } from '../foundation/http/routes.ts';
import { requireDeclared } from '../program/compose.ts';
import { startTestPortal, type TestPortal } from './test-portal.ts';

const SOME_ID = '00000000-0000-4000-8000-000000000000';
let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

const guarded = Object.entries(calls).filter(([, call]) => call.access !== 'public');
const refusable = guarded.flatMap(([name, call]) => {
  const { access } = call;
  if (access === 'public' || access === 'signed-in') return [];
  const role = ROLES.find((candidate) => !allows([candidate], access));
  return role === undefined ? [] : [{ name, call, role }];
});

describe('every call that is answered', () => {
  const hidden = declareCall({
    method: 'GET',
    path: '/hidden',
    access: 'public',
    summary: 'Hides.',
    failure: 'Failed.',
    reply: 'empty',
  });

  it('is declared in the contract: the program does not start with one that is not', async () => {
    const route = answer(hidden, async () => undefined);
    expect(() => requireDeclared([route])).toThrow('GET /hidden is answered, but not declared.');
    expect(() => requireDeclared([{ ...route, call: getBranding }])).not.toThrow();
  });
});

describe('every call that is not public', () => {
  it.each(guarded)('%s 401: refuses without a token, before it reads anything', async (_name, call) => {
    const response = await portal.anonymous.raw(call.method, addressOf(call), bodyOf(call));
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ success: false, code: 'NOT_SIGNED_IN' });
  });

  it.each(guarded)('%s 401: says that a session has expired, which the browser looks for', async (_name, call) => {
    const response = await portal.anonymous.raw(call.method, addressOf(call), {
      ...bodyOf(call),
      headers: { authorization: `Bearer ${'x'.repeat(43)}` },
    });
    expect(response.status).toBe(401);
    expect((await response.json()).message).toContain('expired');
  });
});

describe('every call that wants an ability', () => {
  it.each(refusable)('$name 403: refuses a user whose only role is $role', async ({ call, role }) => {
    const caller = await portal.as(role);
    const response = await caller.raw(call.method, addressOf(call), bodyOf(call));
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ success: false, code: 'FORBIDDEN' });
  });

  it('finds a role to refuse for all but those that all may', () => {
    expect(refusable.length).toBeGreaterThan(25);
  });
});

function addressOf(call: Call): string {
  return `/api${call.path.replace(/\{\w+\}/g, SOME_ID)}`;
}

/** A malformed body that must not be read: the call is refused because of its sender, not because of the body. */
function bodyOf(call: Call): { body?: string } {
  return call.method === 'GET' ? {} : { body: '{' };
}
