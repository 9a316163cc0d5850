import { afterEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import { EngineError } from '../../../model/engine-error.ts';
import { insideOf, smallDriveOf } from '../../../testing/graph/graph-drive.ts';
import { groupMailboxOf, mailboxOf, objectsIn } from '../../../testing/graph/graph-mailbox.ts';
import { filledSiteOf } from '../../../testing/graph/graph-site.ts';
import { JumpingClock, startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import { openGraphSource } from '../graph-source.ts';
import { archiveOf } from '../mailbox/exchange-export.ts';

let tenant: RunningTenant | undefined;

afterEach(() => tenant?.stop());

async function connected() {
  const clock = new JumpingClock();
  const { tenant: started, connection } = await startConnected({ now: () => new Date(clock.now()) }, { clock });
  tenant = started;
  const source = openGraphSource(connection, { keepExchangeStream: false, earlierVersions: 0 });
  const wait = (days: number) => clock.sleep(days * 86_400_000, undefined);
  return { tenant: started, connection, source, wait };
}

/** A drive that was read once, and reports no removal from now on. */
async function readDrive() {
  const { tenant, source, wait } = await connected();
  const drive = await smallDriveOf(source, tenant);
  const replica = new Replica(source, drive);
  await replica.read();
  tenant.tenant.behaviours.missingTombstones = true;
  return { tenant, wait, inside: insideOf(tenant, drive), replica };
}

test('an item whose removal the drive did not report is removed by the full scan after a month', async () => {
  const { wait, inside, replica } = await readDrive();
  const file = [...inside.all()].find(({ kind }) => kind === 'file');
  if (file === undefined) throw new Error('The drive has no file.');
  inside.remove(file);
  // Not so long between two runs that the delta link expires: that would list everything, too.
  await wait(20);
  await replica.read();
  expect(replica.items.has(file.id)).toBe(true);
  await wait(11);
  await replica.read();
  expect(replica.items.has(file.id)).toBe(false);
});

test('a folder that was deleted and made again, of which no removal was reported, leaves nothing of the old one after a month', async () => {
  const { tenant, wait, inside, replica } = await readDrive();
  const files = [...inside.all()].filter(({ kind }) => kind === 'file');
  const old = [...inside.all()].find(
    ({ kind, id }) => kind === 'folder' && files.some(({ parent }) => parent?.id === id),
  );
  if (old?.parent === undefined) throw new Error('The drive has no folder with files.');
  const [parent, name] = [old.parent, old.name];
  const edit = { by: inside.facts.owner, atMs: tenant.tenant.nowMs() };
  inside.remove(old);
  const made = inside.add(parent, { kind: 'folder', name }, edit);
  const content = tenant.tenant.drives.contents.store(Buffer.from('new'));
  inside.add(made, { kind: 'file', name: 'new.txt', content }, edit);
  await wait(20);
  await replica.read();
  expect(replica.items.has(made.id)).toBe(true);
  await wait(11);
  await replica.read();
  expect([...replica.items.keys()].sort()).toEqual([...inside.all()].map(({ id }) => id).sort());
});

test('an item whose removal the mailbox did not report is removed by the full scan after a month', async () => {
  const { tenant, source, wait } = await connected();
  const object = await mailboxOf(source);
  const inside = tenant.tenant.mailboxes.of(object.id);
  const replica = new Replica(source, object);
  await replica.read();
  tenant.tenant.behaviours.missingTombstones = true;
  const before = replica.items.size;
  const personal = [...inside.folders.values()].find(
    ({ wellKnownName, folderClass }) => wellKnownName === undefined && folderClass === 'IPF.Note',
  );
  if (personal === undefined) throw new Error('The mailbox has no folder of its person.');
  inside.removeFolder(personal);
  await wait(20);
  await replica.read();
  expect([...replica.items.values()].map(({ item }) => item.name)).toContain(personal.displayName);
  await wait(11);
  await replica.read();
  expect(replica.items.size).toBeLessThan(before);
  expect([...replica.items.values()].map(({ item }) => item.name)).not.toContain(personal.displayName);
});

test.each([
  ['contact', 'IPF.Contact'],
  ['task', 'IPF.Task'],
  ['message', 'of the archive'],
] as const)(
  'a %s (%s) whose removal was not reported is removed by the full scan after a month',
  async (kind, folderClass) => {
    const { tenant, connection, source, wait } = await connected();
    const isArchive = folderClass === 'of the archive';
    const object = isArchive ? (await objectsIn(source, 'archive'))[0] : await mailboxOf(source);
    if (object === undefined) throw new Error('The tenant has no archive.');
    const { mailboxes } = tenant.tenant;
    const archive = isArchive ? await archiveOf(connection, object.id, new AbortController().signal) : null;
    const inside = archive === null ? mailboxes.of(object.id) : mailboxes.find(archive);
    const folders = [...(inside?.folders.values() ?? [])];
    const replica = new Replica(source, object);
    await replica.read();
    tenant.tenant.behaviours.missingTombstones = true;
    const folder = folders.find(
      (one) => one.folderClass === (isArchive ? 'IPF.Note' : folderClass) && one.itemCount > 1,
    );
    const item = inside?.findItem(folder?.numberAt(0) ?? 0);
    if (item === undefined) throw new Error(`The mailbox has no ${kind}.`);
    const count = () => [...replica.items.values()].filter((one) => one.item.kind === kind).length;
    const before = count();
    inside?.removeItem(item);
    await wait(20);
    await replica.read();
    expect(count()).toBe(before);
    await wait(11);
    await replica.read();
    expect(count()).toBe(before - 1);
  },
);

test('a post that was removed from a conversation without another change of it is removed in the next month', async () => {
  const { tenant, source, wait } = await connected();
  const object = await groupMailboxOf(source);
  const replica = new Replica(source, object);
  const [thread] = tenant.tenant.groupThreads.of(object.id);
  const [first] = thread?.posts ?? [];
  if (thread === undefined || first === undefined) throw new Error('The group has no post.');
  const removed = { ...first, id: 'removed' };
  thread.posts.splice(1, 0, removed);
  await replica.read();
  thread.posts.splice(1, 1);
  await wait(20);
  await replica.read();
  expect(replica.items.has('removed')).toBe(true);
  await wait(11);
  await replica.read();
  expect(replica.items.has('removed')).toBe(false);
});

test('a row whose removal the list did not report is removed by the full scan after a month', async () => {
  const { tenant, source, wait } = await connected();
  const { object, inside } = await filledSiteOf(source, tenant);
  const replica = new Replica(source, object);
  await replica.read();
  tenant.tenant.behaviours.missingTombstones = true;
  const rows = () => [...replica.items.values()].filter((one) => one.item.kind === 'list-item').length;
  const before = rows();
  const list = [...inside.lists.values()].find(({ drive, items }) => drive === undefined && items.length > 1);
  const [row] = list?.items ?? [];
  if (list === undefined || row === undefined) throw new Error('The site has no list with rows.');
  list.remove(row);
  await wait(20);
  await replica.read();
  expect(rows()).toBe(before);
  await wait(11);
  await replica.read();
  expect(rows()).toBe(before - 1);
});

test('a list without its end fails, and takes nothing away', async () => {
  const { tenant, source } = await connected();
  const drive = await smallDriveOf(source, tenant);
  const replica = new Replica(source, drive);
  await replica.read();
  const before = replica.state();
  tenant.tenant.behaviours.endlessDeltas = true;
  replica.cursors.clear();
  await expect(replica.read()).rejects.toBeInstanceOf(EngineError);
  expect(replica.state()).toEqual(before);
});
