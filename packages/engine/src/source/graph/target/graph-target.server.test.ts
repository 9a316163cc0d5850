import { afterEach, describe, expect, it } from 'vitest';
import type { StoredItem } from '../../../model/items.ts';
import { mailboxOf } from '../../../testing/graph-mailbox.ts';
import { startConnected } from '../../../testing/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import type { MailboxFolderKind, MailboxItemKind, NewItem } from '../../target.ts';
import { openGraphSource } from '../graph-source.ts';
import { isObject, type JsonObject } from '../json.ts';
import { SINGLE } from '../mailbox/mailbox-paths.ts';
import { openGraphTarget } from './graph-target.ts';

const open: { stop(): Promise<void> }[] = [];
const { signal } = new AbortController();

afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

/** A mailbox as it was read, and the same one as a target. */
async function mailbox() {
  const { tenant, connection } = await startConnected();
  open.push(tenant);
  const source = openGraphSource(connection);
  const object = await mailboxOf(source);
  const replica = new Replica(source, object);
  await replica.read();
  const target = openGraphTarget(connection).mailbox({ kind: 'mailbox', id: object.id });
  return { replica, target, tenant, connection, object };
}

const KINDS = {
  message: 'mail-folder',
  event: 'calendar',
  contact: 'contact-folder',
  task: 'task-list',
} as const satisfies Record<MailboxItemKind, MailboxFolderKind>;

function propertiesOf(replica: Replica, id: string): JsonObject {
  const value: unknown = JSON.parse(replica.bytesOf(id, 'properties')?.toString() ?? '{}');
  return isObject(value) ? value : {};
}

function newItem(replica: Replica, { id }: StoredItem, kind: MailboxItemKind, without: readonly string[]): NewItem {
  const contents = [...(replica.items.get(id)?.bytes ?? [])]
    .filter(([name]) => !without.includes(name))
    .map(([name, bytes]) => ({
      name: name as NewItem['contents'][number]['name'],
      sizeBytes: bytes.length,
      async *open() {
        yield bytes;
      },
    }));
  return { kind, properties: propertiesOf(replica, id), contents };
}

const ITS_OWN =
  /^(?:id|changeKey|webLink|parentFolderId|createdDateTime|lastModifiedDateTime|conversationI|bodyPreview)|@|^iCalUId|Occurrences$|^sing|^attach|^checklist|^linked|^original/;

/** What is not there is left out or null on the wire. */
const comparable = (properties: JsonObject) =>
  Object.fromEntries(Object.entries(properties).filter(([name, value]) => !ITS_OWN.test(name) && value !== null));

describe('A mailbox of Microsoft Graph as a target', () => {
  it.each(['message', 'event', 'contact', 'task'] as const)(
    'brings a %s back as it was, in both forms',
    async (kind) => {
      const { replica, target } = await mailbox();
      const folder = await target.createFolder({ kind: KINDS[kind], name: 'Restored', parentId: null }, signal);
      const items = [...replica.items.values()].map(({ item }) => item).filter((item) => item.kind === kind);
      const chosen = items.filter((_, at) => at % Math.ceil(items.length / 4) === 0);
      const written = new Map<string, string>();
      const drafts = new Set<string>();
      for (const item of chosen) {
        const whole = newItem(replica, item, kind, []);
        for (const without of [[], ['export']]) {
          const { id, losses } = await target.create(folder.id, newItem(replica, item, kind, without), signal);
          written.set(id, item.id);
          // Without an import Graph makes a draft of every message.
          if (losses.some((loss) => loss.includes('it is a draft'))) drafts.add(id);
          expect((await target.find(folder.id, whole, signal)).map((found) => found.id)).toContain(id);
        }
      }
      await replica.read();
      expect(written.size).toBe(chosen.length * 2);
      const areSent = chosen.every(({ details }) => details.isDraft !== true);
      if (kind === 'message' && areSent) expect(drafts.size).toBe(chosen.length);
      for (const [id, original] of written) {
        expect(replica.items.get(id)?.item.parentId).toBe(folder.id);
        const [back, was] = [id, original].map((one) => comparable(propertiesOf(replica, one)));
        if (kind === 'event') expect({ ...back, attendees: null }).toEqual({ ...was, attendees: null });
        else expect(back).toEqual(drafts.has(id) ? { ...was, isDraft: true } : was);
      }
    },
  );

  it.each([
    ['event', 'events', { subject: 'Mine' }],
    ['contact', 'contacts', { jobTitle: 'Mine' }],
    ['task', 'todo', { importance: 'high', title: 'Mine' }],
  ] as const)(
    'knows a %s that says what is stored, whole or half, from one that says something else',
    async (kind, of, change) => {
      const { replica, target, connection, object } = await mailbox();
      const folder = await target.createFolder({ kind: KINDS[kind], name: 'Restored', parentId: null }, signal);
      const items = [...replica.items.values()].map(({ item }) => item).filter((item) => item.kind === kind);
      for (const item of items.slice(0, 20)) {
        const stored = newItem(replica, item, kind, ['export']);
        const half = { ...stored, contents: [], properties: { ...stored.properties, checklistItems: [] } };
        const { id } = await target.create(folder.id, half, signal);
        expect(await target.isSame(folder.id, id, stored, signal)).toBe(true);
        const list = of === 'todo' ? `todo/lists/${folder.id}/tasks` : of;
        const path = `/users/${object.id}/${list}/${encodeURIComponent(id)}`;
        await connection.ask({ method: 'PATCH', path, headers: SINGLE, body: change });
        expect(await target.isSame(folder.id, id, stored, signal)).toBe(false);
        await target.delete(folder.id, id, kind, signal);
        expect(await target.isSame(folder.id, id, stored, signal)).toBe(true);
      }
    },
  );

  it.each([
    ['message', 'messages', { body: { contentType: 'text', content: 'Something else.' } }],
    ['message', 'messages', { flag: { flagStatus: 'complete' } }],
    ['event', 'events', { body: { contentType: 'html', content: '<p>Something else.</p>' } }],
    ['event', 'events', { attendees: [{ type: 'required', emailAddress: { address: 'new@contoso.example' } }] }],
    ['contact', 'contacts', { businessPhones: ['1'] }],
    ['task', 'todo', { dueDateTime: { dateTime: '2030-01-01T00:00:00', timeZone: 'UTC' } }],
  ] as const)('knows a %s that it wrote from one that somebody changed since: %s %o', async (kind, of, change) => {
    const { replica, target, connection, object } = await mailbox();
    const folder = await target.createFolder({ kind: KINDS[kind], name: 'Restored', parentId: null }, signal);
    const items = [...replica.items.values()].map(({ item }) => item).filter((item) => item.kind === kind);
    for (const [at, item] of items.slice(0, 16).entries()) {
      const stored = newItem(replica, item, kind, at % 2 === 0 ? ['export'] : []);
      const { id } = await target.create(folder.id, stored, signal);
      expect(await target.isUnchanged(folder.id, id, stored, signal)).toBe(true);
      const list = of === 'todo' ? `todo/lists/${folder.id}/tasks` : of;
      const path = `/users/${object.id}/${list}/${encodeURIComponent(id)}`;
      // What a message that was sent says, nobody changes.
      const isSent = kind === 'message' && (await connection.ask({ path, headers: SINGLE }))['isDraft'] === false;
      if (isSent && 'body' in change) continue;
      await connection.ask({ method: 'PATCH', path, headers: SINGLE, body: change });
      expect(await target.isUnchanged(folder.id, id, stored, signal)).toBe(false);
      await target.delete(folder.id, id, kind, signal);
      expect(await target.isUnchanged(folder.id, id, stored, signal)).toBe(false);
    }
  });

  it('takes a task that lacks its steps, and a contact that lacks its photo, for changed', async () => {
    const { replica, target } = await mailbox();
    const bytes = Buffer.from('a picture');
    const photo = {
      name: 'attachments/photo' as const,
      sizeBytes: bytes.length,
      open: async function* () {
        yield bytes;
      },
    };
    const lacking = {
      task: { properties: { checklistItems: [{ displayName: 'Buy milk', isChecked: false }] }, contents: [] },
      contact: { properties: {}, contents: [photo] },
    };
    for (const kind of ['task', 'contact'] as const) {
      const folder = await target.createFolder({ kind: KINDS[kind], name: 'Restored', parentId: null }, signal);
      const found = [...replica.items.values()].find(({ item }) => item.kind === kind)?.item;
      if (found === undefined) throw new Error(`There is no ${kind}.`);
      const { properties } = newItem(replica, found, kind, ['export']);
      const { properties: more, contents } = lacking[kind];
      const stored = { kind, properties: { ...properties, attachments: [], ...more }, contents };
      const half = { ...stored, contents: [], properties: { ...stored.properties, checklistItems: [] } };
      const { id } = await target.create(folder.id, half, signal);
      expect(await target.isUnchanged(folder.id, id, stored, signal)).toBe(false);
      await target.update(folder.id, id, stored, signal);
      expect(await target.isUnchanged(folder.id, id, stored, signal)).toBe(true);
    }
  });

  it('gives the folder of that name that is there, and makes no second one', async () => {
    const { target } = await mailbox();
    const wanted = { kind: 'mail-folder', name: 'Restored', parentId: null } as const;
    const [one, other] = [await target.createFolder(wanted, signal), await target.createFolder(wanted, signal)];
    // Two restores at once: neither finds it before the other has made it.
    const atOnce = { ...wanted, name: 'At once' };
    const both = await Promise.all([1, 2].map(() => target.createFolder(atOnce, signal)));
    expect(both[0]?.id).toBe(both[1]?.id);
    expect(other.id).toBe(one.id);
    const within = await target.createFolder({ ...wanted, parentId: one.id }, signal);
    expect((await target.listFolders('mail-folder', signal)).find(({ id }) => id === within.id)?.parentId).toBe(one.id);
  });

  it('writes attachments beyond what one request may carry', async () => {
    const { replica, target } = await mailbox();
    const folder = await target.createFolder({ kind: 'mail-folder', name: 'Restored', parentId: null }, signal);
    const bytes = Buffer.alloc(5_000_000, 'large');
    const mime = Buffer.from(
      [
        'Subject: Large',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        'See below.',
        '--b',
        'Content-Type: application/octet-stream; name=large.bin',
        'Content-Disposition: attachment; filename=large.bin',
        'Content-Transfer-Encoding: base64',
        '',
        bytes.toString('base64').replace(/.{76}/g, '$&\r\n'),
        '--b--',
        '',
      ].join('\r\n'),
    );
    const content = {
      name: 'mime' as const,
      sizeBytes: mime.length,
      async *open() {
        yield mime;
      },
    };
    const properties = { subject: 'Large', isDraft: false, isRead: true };
    const { id } = await target.create(folder.id, { kind: 'message', properties, contents: [content] }, signal);
    await replica.read();
    expect(replica.bytesOf(id, 'mime')?.length).toBeGreaterThan(bytes.length);
    expect(propertiesOf(replica, id)).toMatchObject({ isDraft: false, isRead: true, hasAttachments: true });
  });

  it('deletes an item once, and finds nothing wrong with doing so again', async () => {
    const { replica, target } = await mailbox();
    const task = [...replica.items.values()].map(({ item }) => item).find(({ kind }) => kind === 'task');
    if (task === undefined) throw new Error('The mailbox has no task.');
    await target.delete(task.parentId ?? '', task.id, 'task', signal);
    await target.delete(task.parentId ?? '', task.id, 'task', signal);
    await replica.read();
    expect(replica.items.has(task.id)).toBe(false);
  });
});
