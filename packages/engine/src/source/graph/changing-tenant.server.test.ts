import { afterEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../sandbox/src/microsoft365/server.ts';
import { Site } from '../../../../sandbox/src/microsoft365/sites/site.ts';
import { insideOf, smallDriveOf } from '../../testing/graph/graph-drive.ts';
import { mailboxOf, objectsIn } from '../../testing/graph/graph-mailbox.ts';
import { startConnected } from '../../testing/graph/graph-tenant.ts';
import { Replica } from '../../testing/replica.ts';
import { openGraphSource } from './graph-source.ts';

let tenant: RunningTenant | undefined;

afterEach(() => tenant?.stop());

async function connected() {
  const { tenant: started, connection } = await startConnected();
  tenant = started;
  return { tenant: started, source: openGraphSource(connection, { keepExchangeStream: false, earlierVersions: 0 }) };
}

test('a mail folder that is deleted and made again during the enumeration is there once, with its messages', async () => {
  const { tenant, source } = await connected();
  const object = await mailboxOf(source);
  const inside = tenant.tenant.mailboxes.of(object.id);
  tenant.tenant.behaviours.remadeFolders = [object.id];
  const replica = new Replica(source, object);
  await replica.read();
  tenant.tenant.behaviours.remadeFolders = false;
  await replica.read();
  const folders = [...inside.folders.values()].filter(
    ({ folderClass, wellKnownName }) =>
      folderClass === 'IPF.Note' && !wellKnownName?.startsWith('recoverable') && wellKnownName !== 'msgfolderroot',
  );
  const read = [...replica.items.values()].map(({ item }) => item);
  const inFolder = (id: string) => read.filter(({ kind, parentId }) => kind === 'message' && parentId === id).length;
  const stored = read.filter(({ kind }) => kind === 'mail-folder').map(({ id, name }) => [name, inFolder(id)]);
  expect(stored.sort()).toEqual(folders.map(({ displayName, itemCount }) => [displayName, itemCount]).sort());
});

test('a folder of a drive that is deleted during the enumeration and restored from the recycle bin is whole', async () => {
  const { tenant, source } = await connected();
  const drive = await smallDriveOf(source, tenant);
  tenant.tenant.behaviours.remadeFolders = [drive.id];
  const replica = new Replica(source, drive);
  await replica.read();
  const there = [...insideOf(tenant, drive).all()].map(({ id }) => id);
  expect([...replica.items.keys()].sort()).toEqual(there.sort());
});

test('sites of another geography are listed and read, with their libraries', async () => {
  const { tenant, source } = await connected();
  tenant.tenant.behaviours.satelliteSites = true;
  const objects = await objectsIn(source, 'site', 'drive');
  const named = new Map(objects.map((object) => [`${object.kind} ${object.name}`, object]));
  for (const name of ['site Sydney', 'drive Sydney: Documents', 'site Contoso APC']) {
    const object = named.get(name);
    if (object === undefined) throw new Error(`There is no ${name}.`);
    if (object.kind === 'drive') {
      const inside = insideOf(tenant, object);
      const content = tenant.tenant.drives.contents.store(Buffer.from('far away'));
      inside.add(inside.root, { kind: 'file', name: 'far.txt', content }, { by: inside.facts.owner, atMs: 0 });
    }
    const replica = new Replica(source, object);
    await replica.read();
    expect([name, replica.failures, replica.lost.size]).toEqual([name, [], 0]);
    expect(replica.items.size).toBeGreaterThan(0);
  }
});

test('a site that a lagging list leaves out is found in the next run, and one that was deleted is that site alone', async () => {
  const { tenant, source } = await connected();
  const { sites, behaviours, nowMs, newId } = tenant.tenant;
  const idsNow = async () => (await objectsIn(source, 'site')).map(({ id }) => id);
  const before = await idsNow();
  behaviours.laggingLists = true;
  const [known, deleted] = sites.all().filter(({ facts, parent, isPersonal }) => facts.path && !parent && !isPersonal);
  if (known === undefined || deleted === undefined) throw new Error('The tenant has too few sites.');
  const made = new Site({ ...known.facts, siteId: newId(), webId: newId(), path: '/sites/new', createdMs: nowMs() });
  sites.add(made);
  sites.remove(deleted, nowMs());
  const during = await objectsIn(source, 'site');
  expect(during.map(({ id }) => id)).not.toContain(made.id);
  expect(during).toHaveLength(before.length - sites.subsitesOf(deleted).length);
  const gone = during.find(({ id }) => id === deleted.id);
  if (gone === undefined) throw new Error('The list is not behind.');
  await expect(new Replica(source, gone).read()).rejects.toMatchObject({ code: 'not-found' });
  tenant.advance(61_000);
  const after = await idsNow();
  expect([after.includes(made.id), after.includes(deleted.id)]).toEqual([true, false]);
});

test('a person whom a lagging list leaves out is found in the next run, and one who has left is that person alone', async () => {
  const { tenant, source } = await connected();
  const { directory, behaviours, nowMs, newId } = tenant.tenant;
  const before = (await objectsIn(source, 'mailbox')).map(({ id }) => id);
  behaviours.laggingLists = true;
  const [leaver, other] = directory.users.filter(({ mailbox }) => mailbox !== null);
  if (leaver === undefined || other === undefined) throw new Error('The tenant has too few users.');
  const newcomer = { ...other, id: newId(), userPrincipalName: 'new@contoso.example', createdMs: nowMs() };
  directory.putUser(newcomer);
  directory.putUser({ ...leaver, deletedMs: nowMs() });
  const during = await objectsIn(source, 'mailbox');
  expect(during.map(({ id }) => id)).not.toContain(newcomer.id);
  expect(during.length).toBeGreaterThanOrEqual(before.length - 1);
  const gone = during.find(({ id }) => id === leaver.id);
  if (gone !== undefined) await expect(new Replica(source, gone).read()).rejects.toMatchObject({ code: 'not-found' });
  tenant.advance(61_000);
  const after = (await objectsIn(source, 'mailbox')).map(({ id }) => id);
  expect(after.sort()).toEqual([...before.filter((id) => id !== leaver.id), newcomer.id].sort());
});
