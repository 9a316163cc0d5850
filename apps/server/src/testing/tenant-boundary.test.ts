import { calls } from '@keepwatch/contract/calls';
import { type Call, isFile, jsonOf } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { tries } from '../../../../tools/soak.ts';
import { execute } from '../foundation/database.ts';
import { openSession } from '../identity/sessions.ts';
import { type AnyRequest, type KnownValues, requestsOf } from './call-input.ts';
import { daysAgo } from './report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from './test-portal.ts';
import {
  buildTwoProviders,
  nameProviders,
  openFingerprints,
  readTenantTables,
  type TwoProviders,
} from './two-providers.ts';

/** Enough to see what no user of one role may: the boundary must not rest on a missing ability. */
const ROLES = ['admin', 'operator', 'super-admin', 'o365_admin'] as const;
const RUNS = tries(10, 300);

interface Reach {
  caller: Caller;
  providerId: number;
  companyIds: readonly string[] | null;
  own: string[];
  foreign: string[];
}

let portal: TestPortal;
let world: TwoProviders;
let reaches: Reach[];
let known: KnownValues;
let fingerprintOutside: (reach: Reach) => Promise<string>;

beforeAll(async () => {
  portal = await startTestPortal();
  world = await buildTwoProviders(portal.database);
  fingerprintOutside = await openFingerprints(portal.database, await readTenantTables(portal.database));
  reaches = [
    await reach(1, null),
    await reach(1, ['p1amark']),
    await reach(1, ['p1amark', 'p1bmark']),
    await reach(2, null),
    await reach(2, ['p2cmark']),
  ];
  known = {
    companyIds: world.companies.map(({ id }) => id),
    ids: [...world.ids, ...reaches.map(({ caller }) => caller.userId), '00000000-0000-4000-8000-000000000000'],
    // No marker among them: what users typed into their own notes is no leak.
    texts: ['mark', '%', "' or true --", '<b>a</b>'],
    vendorIds: world.companies.map(({ marker }) => `vac-${marker}`),
    instants: [daysAgo(30), daysAgo(2), TEST_NOW, daysAgo(-1)].map((instant) => instant.toISOString()),
    idsOf: world.idsOf,
  };
});
afterAll(() => portal.stop());

const tried = Object.entries(calls).filter(([, call]) => call.access !== 'public');

/**
 * Forms whose fields must fit each other, and sign-ins and applications at Microsoft: no arbitrary input is accepted, so that no reply shows a row. The tests of
 * these calls say what they answer; that they show and change nothing outside the reach is tried below all the same.
 */
const FORMS: ReadonlySet<string> = new Set([
  'editOrganization',
  'renewCertificate',
  'checkApplication',
  'removeApplication',
  'createM365Job',
  'editM365Job',
  'createUser',
  'editUser',
]);

/** Answers what the caller did, and to a caller who has done nothing no rows; its own test says what they are. */
const OF_CALLER: ReadonlySet<string> = new Set(['listOwnLogs']);

/** About the installation, which administrators of the first provider look after: to them they name all providers. */
const OF_INSTALLATION: ReadonlySet<string> = new Set([
  'listBrands',
  'editBrand',
  'storeBrandImage',
  'removeBrandImage',
  'setChatSecret',
  'removeChatSecret',
]);

/** What a reply to who asks must not contain. */
function foreignTo({ providerId, companyIds, foreign }: Reach, name: string): string[] {
  const runsInstallation = providerId === 1 && companyIds === null;
  if (!runsInstallation || !OF_INSTALLATION.has(name)) return foreign;
  return foreign.filter((marker) => marker !== 'p2own');
}

describe('whatever is asked of a call', () => {
  // Without this, a list that is always empty would pass the property below.
  it.each(tried.filter(([name, call]) => isOfCompanies(call) && !FORMS.has(name) && !OF_CALLER.has(name)))(
    '%s does show some rows within the scope',
    async (_name, call) => {
      const asking = reaches[0];
      if (asking === undefined) throw new Error('There is no such caller.');
      // Most calls show a row within the first requests, and making a request takes longer than sending it.
      for (let portion = 0; portion < 25; portion += 1)
        for (const request of fc.sample(requestsOf(call, known), 20)) {
          const reply = await ask(asking, request);
          if (asking.own.some((marker) => reply.includes(marker))) return;
        }
      expect.unreachable('None of 500 replies held a row of the caller.');
    },
  );

  it.each(tried)(
    '%s shows and changes nothing outside the reach of who asks',
    async (name, call) => {
      // Brands can be renamed by those who look after them.
      await nameProviders(portal.database);
      let asked = 0;
      await fc.assert(
        fc.asyncProperty(requestsOf(call, known), async (request) => {
          // Each of them asks equally often.
          const asking = reaches[asked++ % reaches.length];
          if (asking === undefined) throw new Error('There is no such caller.');
          const before = call.method === 'GET' ? '' : await fingerprintOutside(asking);
          const reply = await ask(asking, request);
          const leaked = foreignTo(asking, name).filter((marker) => reply.includes(marker));
          const who = asking.own;
          expect({ who, request, leaked }).toEqual({ who, request, leaked: [] });
          if (call.method !== 'GET') expect(await fingerprintOutside(asking)).toBe(before);
        }),
        { numRuns: RUNS },
      );
    },
    60_000,
  );
});

/** Whether a call answers rows of companies: a table, or a reply in which a company is named. Files of backups are content, and of one user alone. */
function isOfCompanies({ reply }: Call): boolean {
  const schema = jsonOf(reply);
  if (schema === null) return isFile(reply) && reply.types.includes('text/csv');
  return /"(companyName|applications|vacId|targetName)":/.test(
    JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' })),
  );
}

async function reach(providerId: number, markers: readonly string[] | null): Promise<Reach> {
  const companies = world.companies.filter(
    (company) => company.providerId === providerId && (markers === null || markers.includes(company.marker)),
  );
  // The provider itself is named beside a company that has just been added.
  const own = [`p${providerId}own`, ...companies.map(({ marker }) => marker)];
  const companyIds = markers === null ? null : companies.map(({ id }) => id);
  const caller = await portal.as(ROLES, { providerId, companyIds: companyIds ?? [] });
  const other = providerId === 1 ? 2 : 1;
  const foreign = [`p${other}own`, `p${other}nobodymark`, ...(markers === null ? [] : [`p${providerId}nobodymark`])];
  foreign.push(...world.companies.map(({ marker }) => marker).filter((marker) => !own.includes(marker)));
  return { caller, providerId, companyIds, own, foreign };
}

/** The whole reply, of whatever status; a fault is never the answer to a request for another tenant's rows. */
async function ask({ caller, providerId }: Reach, { method, address, body }: AnyRequest): Promise<string> {
  const send = () => caller.raw(method, address, body === undefined ? {} : { body });
  let response = await send();
  if (response.status === 401) {
    // The call before has ended the session, as signing out does.
    // A rule of the sign-in that was tried must not keep it from what is tried next.
    await execute(portal.database, sql`delete from sign_in_rules`);
    caller.token = await openSession(portal.database, { providerId, id: caller.userId }, TEST_NOW, '127.0.0.1');
    response = await send();
  }
  const text = await response.text();
  expect({ address, body, fault: response.status >= 500 ? text : null }).toEqual({ address, body, fault: null });
  return text;
}
