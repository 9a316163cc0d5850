import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listChatPeople } from '@keepwatch/contract/restore/chats';
import { listRestoreDrives } from '@keepwatch/contract/restore/drives';
import { searchRestoreSession } from '@keepwatch/contract/restore/items';
import { listRestoreMailboxes } from '@keepwatch/contract/restore/mailboxes';
import { createRestoreRole, editRestoreRole } from '@keepwatch/contract/restore/roles';
import { listRestorePoints } from '@keepwatch/contract/restore/sessions';
import { listRestoreSites } from '@keepwatch/contract/restore/sites';
import { listRestoreTeams } from '@keepwatch/contract/restore/teams';
import { sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tries } from '../../../../../tools/soak.ts';
import { ROOT, sourceFiles } from '../../../../../tools/source-files.ts';
import { execute } from '../../foundation/database.ts';
import { requestsOf } from '../../testing/call-input.ts';
import type { Caller } from '../../testing/test-portal.ts';
import {
  type BedObject,
  type DrawnRole,
  keysShown,
  knownOf,
  OPERATOR_CALLS,
  openSessions,
  readBedObjects,
  readSubjects,
  type Subject,
  textsIn,
} from '../testing/operator-bed.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';

const WHOLE: DrawnRole = { roleType: 'EntireOrganization', selected: [], excluded: [] };
const RUNS = tries(4, 60);
/** Requests of each call about an object inside and about one outside of the role. */
const REQUESTS_OF_EACH = tries(2, 10);

let bed: RestoreBed;
let objects: BedObject[];
let subjects: Subject[];
let admin: Caller;
let operator: Caller;
let opRoleId: string;
/** Opened while the role showed everything: what a session shows is decided at each request. */
let sessions: Awaited<ReturnType<typeof openSessions>>;
/** Ids of restores and downloads that the operator began under any of the roles. */
const ordered = new Map<string, string>();

beforeAll(async () => {
  bed = await startRestoreBed({ kinds: ['mailbox', 'archive', 'drive', 'site', 'team', 'chats'], users: 3, sites: 2 });
  objects = await readBedObjects(bed);
  subjects = await readSubjects(bed, objects);
  admin = await bed.as('o365_admin');
  operator = await bed.as('restore-operator');
  await bed.prove(operator, 'owner');
  const params = { organizationId: bed.organization.id };
  opRoleId = (await admin.call(createRestoreRole, { params, body: bodyOf(WHOLE) })).data.id;
  sessions = await openSessions(bed, operator);
}, 180_000);
afterAll(() => bed.stop());

function bodyOf({ roleType, selected, excluded }: DrawnRole) {
  const itemsAt = (places: readonly number[]) => places.flatMap((at) => subjects[at]?.item ?? []);
  const items = { selectedItems: itemsAt(selected), excludedItems: itemsAt(excluded) };
  return { name: 'Service desk', roleType, operators: [{ id: operator.userId }], ...items };
}

const give = (role: DrawnRole) => admin.call(editRestoreRole, { params: { opRoleId }, body: bodyOf(role) });

function roles(): fc.Arbitrary<DrawnRole> {
  const place = fc.nat({ max: subjects.length - 1 });
  const some = (minLength: number) => fc.uniqueArray(place, { minLength, maxLength: 3 });
  return fc.oneof(
    fc.record({ roleType: fc.constant('EntireOrganization' as const), selected: fc.constant([]), excluded: some(1) }),
    fc.record({ roleType: fc.constant('SpecificObjects' as const), selected: some(1), excluded: some(0) }),
  );
}

/** The ids of objects outside of the role and of all in them, without those that also occur within it. */
function idsOutside(shown: ReadonlySet<string>): Set<string> {
  const idsOf = (some: readonly BedObject[]) => some.flatMap(({ id, items }) => [id, ...items]);
  const within = new Set(idsOf(objects.filter(({ key }) => shown.has(key))));
  const outside = idsOf(objects.filter(({ key }) => !shown.has(key)));
  // `1` and the like are ids of rows of any list.
  return new Set(outside.filter((id) => id.length > 8 && !within.has(id)));
}

/** What kinds of objects the fields of a path name. */
const NAMED_BY: Readonly<Record<string, readonly BedObject['kind'][]>> = {
  mailboxId: ['mailbox', 'archive'],
  onedriveId: ['drive'],
  teamId: ['team'],
  siteId: ['site'],
  personId: ['chats'],
};
const NAMES_AN_OBJECT = new RegExp(`\\{(${Object.keys(NAMED_BY).join('|')})\\}`);

/** Whether the path of a request names an object within the role: a library outside of it may belong to a team within it. */
function isWithin(shown: ReadonlySet<string>, path: string, address: string): boolean {
  const kinds = NAMED_BY[NAMES_AN_OBJECT.exec(path)?.[1] ?? ''] ?? [];
  const parts = new Set((address.split('?', 1)[0] ?? '').split('/').map(decodeURIComponent));
  return objects.some(
    ({ key, id, kind }) => shown.has(key) && kinds.includes(kind) && (parts.has(id) || parts.has(`${id}-${kind}`)),
  );
}

async function askAll(role: DrawnRole, seed: number): Promise<void> {
  const shown = keysShown(role, subjects, objects);
  const outside = idsOutside(shown);
  const halves = [objects.filter(({ key }) => shown.has(key)), objects.filter(({ key }) => !shown.has(key))];
  for (const [name, call] of OPERATOR_CALLS)
    for (const half of halves) {
      if (half.length === 0) continue;
      await goOn();
      const requests = fc
        .constantFrom(...half)
        .chain((object) =>
          requestsOf(call, knownOf(bed, object, Object.values(sessions), [...ordered.keys(), object.id])).map(
            (request) => ({ object, request }),
          ),
        );
      for (const { object, request } of fc.sample(requests, { numRuns: REQUESTS_OF_EACH, seed })) {
        const { method, body } = request;
        const address = inSession(request.address);
        const response = await operator.raw(method, address, body === undefined ? {} : { body });
        const text = await response.text();
        expect({ name, request, fault: response.status >= 500 ? text : null }).toMatchObject({ fault: null });
        if (!shown.has(object.key) && NAMES_AN_OBJECT.test(call.path) && !isWithin(shown, call.path, address))
          expect({ name, request, isRefused: response.status >= 400 }).toMatchObject({ isRefused: true });
        const isJson = response.headers.get('content-type')?.includes('json') === true;
        const texts = isJson && response.ok ? textsIn(JSON.parse(text)) : [];
        expect({ name, request, leaked: texts.filter((one) => outside.has(one)) }).toMatchObject({ leaked: [] });
        remember(texts, object, response.ok && call.method === 'POST' && call.path.includes('{'));
      }
    }
}

/** Calls end sessions and begin sign-ins: what follows would ask nothing. */
async function goOn(): Promise<void> {
  const { database } = bed.services;
  await execute(database, sql`update restore_sessions set stopped_at = null where user_id = ${operator.userId}`);
  await execute(database, sql`delete from restore_sign_ins where user_id = ${operator.userId}`);
  await bed.prove(operator, 'owner');
}

const EXPLORERS = { mailboxes: 'vex', onedrives: 'veod', sharepoint: 'vesp', teams: 'vet', chats: 'vet' } as const;

/** The address in the session of its explorer. */
function inSession(address: string): string {
  return address.replace(
    /restoresessions\/[^/?]+\/(mailboxes|onedrives|sharepoint|teams|chats)/,
    (_, explorer: keyof typeof EXPLORERS) => `restoresessions/${sessions[EXPLORERS[explorer]]}/${explorer}`,
  );
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Restores and downloads are asked for again under the roles that follow. */
function remember(texts: readonly string[], object: BedObject, isChange: boolean): void {
  const id = texts.find((one) => ID.test(one));
  if (isChange && id !== undefined && ordered.size < 50) ordered.set(id, object.key);
}

function searchAllTime(after: string) {
  const query = { limit: 100, allTime: true, ...(after === '' ? {} : { after }) };
  return operator.call(searchRestoreSession, { params: { restoreSessionId: sessions.vex }, query });
}

/** What the lists at the top show, by the ids of objects. */
async function listed(): Promise<string[]> {
  const all = { limit: 1_000 };
  const mailboxes = await operator.call(listRestoreMailboxes, {
    params: { restoreSessionId: sessions.vex },
    query: all,
  });
  const drives = await operator.call(listRestoreDrives, { params: { restoreSessionId: sessions.veod }, query: all });
  const sites = await operator.call(listRestoreSites, {
    params: { restoreSessionId: sessions.vesp },
    query: { ...all, search: '/sites/' },
  });
  const teams = await operator.call(listRestoreTeams, { params: { restoreSessionId: sessions.vet }, query: all });
  const chats = await operator.call(listChatPeople, { params: { restoreSessionId: sessions.vet }, query: all });
  return [mailboxes, drives, sites, teams, chats].flatMap(({ data }) => data.results.map(({ id }) => id)).toSorted();
}

function expectedIn(shown: ReadonlySet<string>): string[] {
  const isListed = ({ kind, owner }: BedObject) =>
    kind === 'mailbox' ||
    kind === 'archive' ||
    kind === 'site' ||
    kind === 'team' ||
    kind === 'chats' ||
    (kind === 'drive' && owner?.startsWith('user/'));
  return objects
    .filter((object) => shown.has(object.key) && isListed(object))
    .map(({ kind, id }) => (kind === 'archive' || kind === 'chats' ? `${id}-${kind}` : id))
    .toSorted();
}

describe('a restore operator', () => {
  it('is shown everything by a role of the whole organization, so that what follows is no list that is always empty', async () => {
    await give(WHOLE);
    expect(new Set(objects.map(({ kind }) => kind))).toEqual(
      new Set(['mailbox', 'archive', 'drive', 'site', 'team', 'chats']),
    );
    expect(await listed()).toEqual(expectedIn(new Set(objects.map(({ key }) => key))));
    const params = { restoreSessionId: sessions.vex };
    expect((await operator.call(searchRestoreSession, { params, query: { limit: 5 } })).data).toHaveLength(5);
    expect(OPERATOR_CALLS.length).toBeGreaterThan(60);
  });

  it('sees and changes nothing outside of any role, whatever is asked of whatever call', async () => {
    await fc.assert(
      fc.asyncProperty(roles(), fc.integer(), async (role, seed) => {
        await give(role);
        const shown = keysShown(role, subjects, objects);
        expect({ role, listed: await listed() }).toEqual({ role, listed: expectedIn(shown) });
        await askAll(role, seed);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 900_000);

  it('finds all of what the role shows, and nothing else, over all time', async () => {
    const at = subjects.findIndex(({ item, keys }) => item.type === 'User' && keys.size > 0);
    const keys = subjects[at]?.keys ?? new Set();
    await give({ roleType: 'SpecificObjects', selected: [at], excluded: [] });
    const ids = objects.filter(({ key, kind }) => keys.has(key) && kind === 'mailbox').map(({ id }) => id);
    const found = new Set<string>();
    for (let after: string | null = ''; after !== null; ) {
      const page: { data: { objectId: string }[]; _next: string | null } = await searchAllTime(after);
      for (const { objectId } of page.data) found.add(objectId);
      after = page._next;
    }
    expect([...found]).toEqual(ids);
  });

  it('gets no counts of the whole organization', async () => {
    await give({ roleType: 'SpecificObjects', selected: [0], excluded: [] });
    const { data } = await operator.call(listRestorePoints, { query: { organizationId: bed.organization.id } });
    expect(data).toMatchObject([{ itemsRead: null, itemsLost: null, incompleteObjects: null, isSharePoint: false }]);
  });
});

describe('repositories', () => {
  it('are opened through the reach of who asks, and in no other way', () => {
    const opening = sourceFiles()
      .map(({ path }) => path)
      .filter((path) => path.startsWith('apps/server/src/restore/') && !/\.test\.ts$|\/testing\//.test(path))
      .filter((path) => /\bservices\.openStored\(/.test(readFileSync(join(ROOT, path), 'utf8')))
      .map((path) => path.replace('apps/server/src/restore/', ''));
    expect(opening.toSorted()).toEqual(['roles/reach.ts', 'roles/role-coverage.ts', 'sessions/open-scope.ts']);
  });
});
