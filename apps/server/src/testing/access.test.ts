import { ROLES, type Role } from '@keepwatch/contract/abilities';
import { calls } from '@keepwatch/contract/calls';
import { signOut } from '@keepwatch/contract/identity/sessions';
import type { Call } from '@keepwatch/contract/wire/call';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callsOfPage } from './access-page.ts';
import { startTestPortal, type TestPortal } from './test-portal.ts';

const SOME_ID = '00000000-0000-4000-8000-000000000000';
const page = callsOfPage();
/** Signing out is last: it ends the session. */
const guarded = Object.values(calls)
  .filter(({ access }) => access !== 'public')
  .toSorted((one, other) => Number(one === signOut) - Number(other === signOut));

/** A reseller is limited to companies, always, and these are of a whole provider. */
const NOT_OF_RESELLERS = ['POST /companies/{id}/restore', 'GET /companies/deleted', 'GET /companies/vac'];

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

const nameOf = ({ method, path }: Call) => `${method} ${path}`;

/** What the server makes of a call with nothing in it: a user who may make it is answered, or corrected. */
async function askedAs(role: Role): Promise<string[]> {
  const caller = await portal.as(role);
  const answers: string[] = [];
  for (const call of guarded) {
    const address = `/api${call.path.replace(/\{\w+\}/g, SOME_ID)}`;
    const body = call.method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
    const reply = await caller.raw(call.method, address, body);
    const text = await reply.text();
    const isRefused = reply.status === 403 && JSON.parse(text).code === 'FORBIDDEN';
    answers.push(`${nameOf(call)}: ${reply.status === 401 ? 'signed out' : isRefused ? 'refused' : 'not refused'}`);
  }
  return answers;
}

it.each(ROLES)('%s is refused the calls of which the page of access says so, and no other', async (role) => {
  const expected = guarded.map((call) => {
    const name = nameOf(call);
    const may = page.get(name)?.includes(role) === true && !(role === 'sub-sp' && NOT_OF_RESELLERS.includes(name));
    return `${name}: ${may ? 'not refused' : 'refused'}`;
  });
  expect(await askedAs(role)).toEqual(expected);
});

it('the page has every call', () => {
  expect([...page.keys()].toSorted()).toEqual(Object.values(calls).map(nameOf).toSorted());
});
