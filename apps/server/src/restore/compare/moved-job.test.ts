import { listRestoreDrives } from '@keepwatch/contract/restore/drives';
import { listRestoreMailboxes } from '@keepwatch/contract/restore/mailboxes';
import { openRestoreSession, type SessionType } from '@keepwatch/contract/restore/sessions';
import { type ComparedItem, compareRestorePoints } from '@keepwatch/contract/restore/versions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../testing/test-portal.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';

let bed: RestoreBed;
let caller: Caller;
/** After the first restore point, and after the one of the second repository. */
let before: string;
let after: string;
/** Of whom a file changed between them, and nothing. */
let changed: { id: string; name: string };

beforeAll(async () => {
  bed = await startRestoreBed({ kinds: ['mailbox', 'drive'], users: 5 });
  caller = await bed.asAdministrator();
  before = new Date().toISOString();
  const [drive] = await drivesOf(await openOf('veod', before));
  if (drive === undefined) throw new Error('There is no drive.');
  changed = drive;
  const path = `/drives/${drive.id}/root:/new.txt:/content`;
  await bed.connection.ask({ method: 'PUT', path, body: Buffer.from('new') });
  await bed.moveJob();
  await bed.backUp();
  after = new Date().toISOString();
}, 120_000);
afterAll(() => bed.stop());

async function openOf(sessionType: SessionType, datetime: string, showDeleted = false): Promise<string> {
  const { id: organizationId, companyId } = bed.organization;
  const body = { companyId, organizationId, datetime, sessionType, showDeleted };
  return (await caller.call(openRestoreSession, { body })).data.id;
}

const drivesOf = async (restoreSessionId: string) =>
  (await caller.call(listRestoreDrives, { params: { restoreSessionId }, query: { limit: 100 } })).data.results;

async function compare(type: SessionType, limit: number): Promise<ComparedItem[]> {
  const params = { restoreSessionId: await openOf(type, after) };
  const otherSessionId = await openOf(type, before);
  const found: ComparedItem[] = [];
  for (let at: string | null | undefined; at !== null; ) {
    const query = { otherSessionId, limit, ...(at === undefined ? {} : { after: at }) };
    const page: { data: ComparedItem[]; _next: string | null } = await caller.call(compareRestorePoints, {
      params,
      query,
    });
    found.push(...page.data);
    at = page._next;
  }
  return found;
}

describe('the restore points before and after a job was moved to another repository', () => {
  it.each([1, 100])('differ in what changed alone, in pages of %i', async (limit) => {
    const drives = await compare('veod', limit);
    expect(drives.map(({ change, objectId, name }) => [change, objectId, name])).toEqual([
      ['changed', changed.id, changed.name],
    ]);
    expect(await compare('vex', limit)).toEqual([]);
  });
});

it('a page of a comparison reads the objects that it is about, and not all of them again', async () => {
  const drives = await drivesOf(await openOf('veod', after));
  for (const { id } of drives) {
    const path = `/drives/${id}/root:/newer.txt:/content`;
    await bed.connection.ask({ method: 'PUT', path, body: Buffer.from('newer') });
  }
  await bed.backUp();
  const params = { restoreSessionId: await openOf('veod', new Date().toISOString()) };
  const query = { otherSessionId: await openOf('veod', after), change: 'changed', limit: drives.length - 1 } as const;
  const first = await caller.call(compareRestorePoints, { params, query });
  const read = countObjects(bed);
  const last = await caller.call(compareRestorePoints, { params, query: { ...query, after: first._next ?? '' } });
  expect([first.data.length, last.data.length]).toEqual([drives.length - 1, 1]);
  // All of them are so many in the two repositories of the two sessions.
  expect(read.objects()).toBeLessThan(4 * drives.length);
});

/** Counts the objects that are read from the catalogs of a bed from now on. */
function countObjects({ services }: RestoreBed) {
  let objects = 0;
  const open = services.openStored;
  services.openStored = async (...repository) => {
    const { catalog, ...stored } = await open(...repository);
    const findObjects: typeof catalog.findObjects = async (query) => {
      const page = await catalog.findObjects(query);
      objects += page.rows.length;
      return page;
    };
    const get = (whole: typeof catalog, name: string | symbol) => {
      const value: unknown = Reflect.get(whole, name, whole);
      return name === 'findObjects' ? findObjects : typeof value === 'function' ? value.bind(whole) : value;
    };
    return { ...stored, catalog: new Proxy(catalog, { get }) };
  };
  return { objects: () => objects };
}

describe('a session over both repositories', () => {
  it.each([false, true])(
    'lists each object once, as its newest restore point has it (with deleted ones: %s)',
    async (withDeleted) => {
      const restoreSessionId = await openOf('veod', after, withDeleted);
      const all = await drivesOf(restoreSessionId);
      expect(all.map(({ id }) => id).toSorted()).toEqual(
        (await drivesOf(await openOf('veod', before))).map(({ id }) => id).toSorted(),
      );
      for (const { backupTime, isDeleted } of all) {
        expect(backupTime > before).toBe(true);
        expect(isDeleted).toBe(false);
      }
    },
  );

  it('is read on by its links, in the same order', async () => {
    const params = { restoreSessionId: await openOf('vex', after, true) };
    const whole = await caller.call(listRestoreMailboxes, { params, query: { limit: 100 } });
    const names = whole.data.results.map(({ name }) => name);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, 'en')));
    const found: string[] = [];
    for (let query = 'limit=1'; query !== ''; ) {
      const path = `/api/o365/restore/restoresessions/${params.restoreSessionId}/mailboxes?${query}`;
      const page: typeof whole = await (await caller.raw('GET', path)).json();
      found.push(...page.data.results.map(({ id }) => id));
      query = page._links.next?.href.split('?')[1] ?? '';
    }
    expect(found).toEqual(whole.data.results.map(({ id }) => id));
  });
});
