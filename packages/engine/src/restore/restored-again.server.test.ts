import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { isOfGroup } from '../source/graph/group/group-owner.ts';
import { SINGLE } from '../source/graph/mailbox/mailbox-paths.ts';
import { openGraphTarget } from '../source/graph/target/graph-target.ts';
import { openGraphDrive } from '../source/graph/write-drives/graph-drive.ts';
import { objectsIn } from '../testing/graph/graph-mailbox.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import type { ItemOutcome } from './item-outcome.ts';
import { DrivePlace } from './places/drive-place.ts';
import { MailboxPlace } from './places/mailbox-place.ts';
import { PlaceWithSettings } from './places/place-with-settings.ts';
import { type RestoreRequest, restore } from './restore.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from './restore-options.ts';
import { planRestore } from './restore-plan.ts';

let stored: StoredBackup;
const running: RunningTenant[] = [];
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(async () => {
  await stored.close();
  for (const tenant of running.splice(0)) await tenant.stop();
});

const signal = new AbortController().signal;
const parts = () => ({ repository: stored.repository, catalog: stored.catalog, signal });

/** A filled tenant, and an empty one with the same people. */
async function tenants() {
  const full = await startConnected({ size: 'small', budgets: false });
  const empty = await startConnected({ size: 'empty', seed: 77, budgets: false });
  running.push(full.tenant, empty.tenant);
  for (const user of full.tenant.tenant.directory.users)
    if (user.mailbox) empty.tenant.tenant.directory.putUser({ ...user });
  return { from: full.connection, to: empty.connection };
}

type Into = (object: ProtectedObject, options: RestoreOptions) => RestoreRequest['place'];

const intoMailbox =
  (to: GraphConnection): Into =>
  ({ id }) => {
    const target = openGraphTarget(to).mailbox({ kind: 'mailbox', id });
    return (paths, until) => new PlaceWithSettings(new MailboxPlace(target, paths, null, until), null, until);
  };

async function restored(object: ProtectedObject, into: Into, over: Partial<RestoreOptions>) {
  const options = { ...RESTORE_OPTIONS, ...over };
  const scope = await stored.scopeOf(object);
  const request = { scope, options, to: object.id, place: into(object, options) };
  const plan = await planRestore(parts(), request);
  const items: ItemOutcome[] = [];
  const result = await restore({ ...parts(), onItem: (item) => void items.push(item) }, request);
  expect(result.failures).toEqual([]);
  expect([plan.created + plan.copied, plan.replaced]).toEqual([result.restored, result.replaced]);
  return { result, items };
}

const UNCHANGED = 'It is there, unchanged.';
const ALONE = 'It is there, and was to be left alone.';
/** What a person has set up goes back into the own mailbox alone. */
const SETTINGS = 10;
const LEFT_OUT = { 'Settings go back into their own mailbox alone, and into no folder.': SETTINGS };

/** What a person does to an item of each kind, by which it is still found. */
const CHANGES = {
  message: { body: { categories: ['Urgent'] } },
  event: { body: { location: { displayName: 'The roof' } } },
  contact: { body: { jobTitle: 'Astronaut' } },
  task: { body: { status: 'deferred' } },
} as const;
const KINDS = Object.keys(CHANGES) as (keyof typeof CHANGES)[];

describe('A mailbox that was restored', () => {
  test.each([
    ['with an import', true],
    ['without an import', false],
  ])(
    '%s is unchanged for the next restore, whatever that may do',
    async (_, keepExchangeStream) => {
      const { from, to } = await tenants();
      const source = openGraphSource(from, { keepExchangeStream });
      const mailboxes = (await objectsIn(source, 'mailbox'))
        .filter((mailbox) => !isOfGroup(mailbox))
        .slice(0, tries(1, 2));
      await stored.backUpOnly(source, mailboxes);
      const kinds = new Map<string, number>();
      for (const mailbox of mailboxes) {
        const first = await restored(mailbox, intoMailbox(to), { conflict: 'replace' });
        expect(first.result).toMatchObject({ replaced: 0, skipped: SETTINGS });
        const written = first.items.filter(({ outcome }) => outcome !== 'skipped');
        for (const { kind } of written) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        for (const conflict of ['replace', 'keep-both'] as const) {
          const { result, items } = await restored(mailbox, intoMailbox(to), { conflict });
          expect(items.filter(({ outcome }) => outcome !== 'skipped')).toEqual([]);
          expect(result.skippedBecause).toEqual({ ...LEFT_OUT, [UNCHANGED]: first.result.restored });
        }
        const left = await restored(mailbox, intoMailbox(to), { conflict: 'skip' });
        // Those of one name are looked at also where nothing may be written, so that none counts as another.
        const { [UNCHANGED]: unchanged = 0, [ALONE]: alone = 0, ...others } = left.result.skippedBecause;
        expect([alone + unchanged, others]).toEqual([first.result.restored, LEFT_OUT]);
        expect(alone).toBeGreaterThan(unchanged);
      }
      expect([...kinds.keys()].sort()).toEqual([...KINDS].sort());
      console.log('Restored twice, written once:', Object.fromEntries(kinds));
    },
    300_000,
  );

  test.each([true, false])(
    'gets back what a person changed, and that alone, with an import: %s',
    async (keeps) => {
      const { from, to } = await tenants();
      const source = openGraphSource(from, { keepExchangeStream: keeps });
      const [mailbox] = await objectsIn(source, 'mailbox');
      if (mailbox === undefined) throw new Error('There is no mailbox.');
      await stored.backUpOnly(source, [mailbox]);
      const { items } = await restored(mailbox, intoMailbox(to), { conflict: 'replace' });
      const changed = KINDS.map((kind) => items.find((item) => item.kind === kind));
      for (const item of changed) await change(to, mailbox.id, item);
      const again = await restored(mailbox, intoMailbox(to), { conflict: 'replace' });
      const replaced = again.items.filter(({ outcome }) => outcome !== 'skipped');
      expect(replaced.map(({ id, outcome }) => [id, outcome]).sort()).toEqual(
        changed.map((item) => [item?.id, 'replaced']).sort(),
      );
      const third = await restored(mailbox, intoMailbox(to), { conflict: 'replace' });
      expect(third.result.skippedBecause).toEqual({ ...LEFT_OUT, [UNCHANGED]: items.length - SETTINGS });
    },
    300_000,
  );
});

test('Of two messages of one id, the one that was changed or deleted is written again, and the other one is left as it is', async () => {
  const { from, to } = await tenants();
  const source = openGraphSource(from);
  const [mailbox] = await objectsIn(source, 'mailbox');
  if (mailbox === undefined) throw new Error('There is no mailbox.');
  await putTwin(from, mailbox.id);
  await stored.backUpOnly(source, [mailbox]);
  const { items } = await restored(mailbox, intoMailbox(to), { conflict: 'replace' });
  const twins = (await messagesOf(to, mailbox.id)).filter(({ id }) => id === TWIN_ID).map(({ targetId }) => targetId);
  expect(twins).toHaveLength(2);
  const write = (method: 'PATCH' | 'DELETE', id: string | undefined, body?: object) =>
    to.ask({ method, path: `/users/${mailbox.id}/messages/${id}`, headers: SINGLE, ...(body && { body }) });
  const writtenBy = async (conflict: RestoreOptions['conflict']) =>
    (await restored(mailbox, intoMailbox(to), { conflict })).items.filter(({ outcome }) => outcome !== 'skipped');
  for (const twin of twins) {
    const item = items.find(({ targetId }) => targetId === twin);
    await write('PATCH', twin, { importance: 'low' });
    const copies = await writtenBy('keep-both');
    expect(copies.map(({ id, outcome }) => [id, outcome])).toEqual([[item?.id, 'restored']]);
    // With one of the two that is left, the other one comes back: they are two.
    for (const id of [twin, copies[0]?.targetId]) await write('DELETE', id);
    expect((await writtenBy('skip')).map(({ id, outcome }) => [id, outcome])).toEqual([[item?.id, 'restored']]);
  }
}, 120_000);

const TWIN_ID = '<twin@example.com>';

/** Two messages of one id in one folder, of which one is important. */
async function putTwin(connection: GraphConnection, user: string): Promise<void> {
  const path = `/users/${user}/mailFolders/inbox/messages`;
  for (const importance of ['normal', 'high'])
    await connection.ask({
      method: 'POST',
      path,
      headers: SINGLE,
      body: { subject: 'Twin', internetMessageId: TWIN_ID, importance },
    });
}

async function messagesOf(connection: GraphConnection, user: string): Promise<{ id: string; targetId: string }[]> {
  const found: { id: string; targetId: string }[] = [];
  for await (const { value } of connection.pages({
    path: `/users/${user}/mailFolders/inbox/messages`,
    headers: SINGLE,
  }))
    for (const one of value) found.push({ id: String(one['internetMessageId']), targetId: String(one['id']) });
  return found;
}

async function change(to: GraphConnection, user: string, item: ItemOutcome | undefined): Promise<void> {
  const id = encodeURIComponent(item?.targetId ?? '');
  const kind = KINDS.find((one) => one === item?.kind);
  if (kind === undefined) throw new Error('There is no item of a kind.');
  const path = kind === 'task' ? await pathOfTask(to, user, id) : `/users/${user}/${kind}s/${id}`;
  await to.ask({ method: 'PATCH', path, headers: SINGLE, body: CHANGES[kind].body });
}

async function pathOfTask(to: GraphConnection, user: string, id: string): Promise<string> {
  const { value } = await to.page({ path: `/users/${user}/todo/lists`, headers: SINGLE });
  for (const list of value) {
    const tasks = `/users/${user}/todo/lists/${list['id']}/tasks`;
    for await (const page of to.pages({ path: tasks, headers: SINGLE }))
      if (page.value.some((task) => encodeURIComponent(String(task['id'])) === id)) return `${tasks}/${id}`;
  }
  throw new Error(`There is no task ${id}.`);
}

test('Files that were restored are unchanged for the next restore, and one that a person changed is replaced', async () => {
  const { connection: from, tenant } = await startConnected({ size: 'small', budgets: false });
  const { connection: to, tenant: other } = await startConnected({ size: 'small', seed: 77, budgets: false });
  running.push(tenant, other);
  const [drive, targetId] = [(await oneDrivesOf(from))[0], (await oneDrivesOf(to))[0]?.id ?? ''];
  if (drive === undefined) throw new Error('There is no OneDrive.');
  await stored.backUpOnly(openGraphSource(from), [drive]);
  const target = openGraphDrive(to, targetId);
  for (const { id } of await target.children(await target.rootId(signal), signal)) await target.delete(id, signal);
  const into: Into = (_, options) => (paths, until) => new DrivePlace(target, paths, options, until);
  const first = await restored(drive, into, { conflict: 'replace' });
  for (const conflict of ['replace', 'keep-both'] as const) {
    const { result } = await restored(drive, into, { conflict });
    expect(result).toMatchObject({ restored: 0, replaced: 0 });
    expect(result.skippedBecause[UNCHANGED]).toBe(first.result.restored);
  }
  const [file] = first.items.filter(({ outcome }) => outcome === 'restored');
  const bytes = Buffer.from('Another text.');
  const content = {
    name: 'file' as const,
    sizeBytes: bytes.length,
    async *open() {
      yield bytes;
    },
  };
  await target.write({ id: file?.targetId ?? '' }, content, {}, signal);
  const again = await restored(drive, into, { conflict: 'replace' });
  expect(again.items.flatMap(({ id, outcome }) => (outcome === 'replaced' ? [id] : []))).toEqual([file?.id]);
}, 120_000);

async function oneDrivesOf(connection: GraphConnection): Promise<ProtectedObject[]> {
  const drives = await objectsIn(openGraphSource(connection), 'drive');
  return drives.filter(({ owner }) => owner?.startsWith('user/'));
}
