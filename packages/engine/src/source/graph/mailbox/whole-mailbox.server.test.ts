import { afterEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import { mailboxOf } from '../../../testing/graph/graph-mailbox.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import { openGraphSource } from '../graph-source.ts';

let tenant: RunningTenant | undefined;

afterEach(() => tenant?.stop());

async function mailbox() {
  const { tenant: started, connection } = await startConnected();
  tenant = started;
  const source = openGraphSource(connection, { keepExchangeStream: false });
  const object = await mailboxOf(source);
  const inside = started.tenant.mailboxes.of(object.id);
  return { tenant: started, object, inside, replica: new Replica(source, object) };
}

const named = (replica: Replica, kind: string) =>
  [...replica.items.values()].flatMap(({ item }) => (item.kind === kind ? item.name : []));

test('a message that arrives in a folder which no round names is read in the next run', async () => {
  const { tenant, inside, replica } = await mailbox();
  tenant.tenant.behaviours.quietFolders = true;
  await replica.read();
  const [folder] = [...inside.folders.values()].filter(({ wellKnownName }) => wellKnownName === 'inbox');
  if (folder === undefined) throw new Error('The mailbox has no inbox.');
  const before = replica.items.size;
  const some = inside.findItem(folder.numberAt(0));
  if (some === undefined) throw new Error('The inbox is empty.');
  inside.createItem(folder, some.content);
  await replica.read();
  expect(replica.items.size).toBe(before + 1);
});

test('hidden folders and their messages are read, and not what was removed for good', async () => {
  const { inside, replica } = await mailbox();
  const folder = inside.addFolder({
    displayName: 'Hidden by a rule',
    folderClass: 'IPF.Note',
    isHidden: true,
    parent: inside.wellKnown('msgfolderroot').number,
  });
  const some = inside.findItem(inside.wellKnown('inbox').numberAt(0));
  if (some !== undefined) inside.createItem(folder, some.content);
  await replica.read();
  expect(named(replica, 'mail-folder')).toContain('Hidden by a rule');
  expect(named(replica, 'mail-folder')).not.toContain('Deletions');
  const items = [...replica.items.values()].map(({ item }) => item);
  const hidden = items.find(({ name }) => name === 'Hidden by a rule');
  expect(items.filter(({ parentId }) => parentId === hidden?.id)).toHaveLength(1);
});

test('the calendars of a person who was renamed stay, and one that others share is named and left out', async () => {
  const { tenant, object, replica } = await mailbox();
  await replica.read();
  const calendars = named(replica, 'calendar');
  const events = named(replica, 'event').length;
  tenant.tenant.behaviours.formerOwners = [object.id];
  tenant.tenant.behaviours.sharedCalendars = [object.id];
  await replica.read();
  expect([named(replica, 'calendar'), named(replica, 'event').length]).toEqual([calendars, events]);
  expect(replica.events.filter(({ type }) => type === 'skipped')).toMatchObject([
    { name: 'Shared with me', cause: 'shared' },
  ]);
});

test('a second calendar stays with its events when its owner is an older address than all that are known now', async () => {
  const { tenant, object, inside, replica } = await mailbox();
  const parent = inside.wellKnown('msgfolderroot').number;
  const owner = { name: 'Ada', address: 'first@contoso.example' };
  const name = 'From before';
  const before = inside.wellKnown('calendar');
  const second = inside.addFolder({
    displayName: name,
    folderClass: 'IPF.Appointment',
    parent,
    properties: { owner: { ...owner, address: object.address } },
  });
  const some = inside.findItem(before.numberAt(0));
  if (some === undefined) throw new Error('The calendar is empty.');
  inside.createItem(second, some.content);
  await replica.read();
  const events = named(replica, 'event').length;
  second.properties = { ...second.properties, owner };
  tenant.tenant.behaviours.formerOwners = [object.id];
  await replica.read();
  expect(named(replica, 'calendar')).toContain(name);
  expect([named(replica, 'event').length, replica.failures]).toEqual([events, []]);
});

test('a search folder is none of the folders, and its messages stay where they are', async () => {
  const { tenant, object, replica } = await mailbox();
  await replica.read();
  const before = replica.items.size;
  tenant.tenant.behaviours.searchFolders = [object.id];
  await replica.read();
  expect(replica.failures).toEqual([]);
  expect(replica.items.size).toBe(before);
  expect(named(replica, 'mail-folder')).not.toContain('Unread of all folders');
});

test('a picture in the text of an event is backed up, although the event has no attachments that count', async () => {
  const { inside, replica } = await mailbox();
  const calendar = inside.wellKnown('calendar');
  const some = inside.findItem(calendar.numberAt(0));
  if (some?.content.kind !== 'event') throw new Error('The calendar is empty.');
  const picture = Buffer.from('a picture');
  const body = { contentType: 'html', content: '<img src="cid:picture@1">' };
  inside.createItem(calendar, {
    ...some.content,
    properties: { ...some.content.properties, subject: 'With a picture', body },
    attachments: [
      {
        kind: 'file',
        number: 1,
        name: 'picture.png',
        contentType: 'image/png',
        isInline: true,
        contentId: 'picture@1',
        modifiedMs: some.createdMs,
        size: picture.length,
        bytes: () => picture,
      },
    ],
  });
  await replica.read();
  const [event] = [...replica.items.values()].filter(({ item }) => item.name === 'With a picture');
  expect([...(event?.bytes.values() ?? [])].some((bytes) => bytes.equals(picture))).toBe(true);
});
