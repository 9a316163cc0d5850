import { afterEach, describe, expect, it } from 'vitest';
import type { StoredItem } from '../../../model/items.ts';
import { mailboxOf } from '../../../testing/graph/graph-mailbox.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
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
    'distinguishes a %s that says what is stored, whole or half, from one that says something else',
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
  ] as const)('distinguishes a %s that it wrote from one that was changed since: %s %o', async (kind, of, change) => {
    const { replica, target, connection, object } = await mailbox();
    const folder = await target.createFolder({ kind: KINDS[kind], name: 'Restored', parentId: null }, signal);
    const items = [...replica.items.values()].map(({ item }) => item).filter((item) => item.kind === kind);
    for (const [at, item] of items.slice(0, 16).entries()) {
      const stored = newItem(replica, item, kind, at % 2 === 0 ? ['export'] : []);
      const { id } = await target.create(folder.id, stored, signal);
      expect(await target.isUnchanged(folder.id, id, stored, signal)).toBe(true);
      const list = of === 'todo' ? `todo/lists/${folder.id}/tasks` : of;
      const path = `/users/${object.id}/${list}/${encodeURIComponent(id)}`;
      // The text of a sent message cannot be changed.
      const isSent = kind === 'message' && (await connection.ask({ path, headers: SINGLE }))['isDraft'] === false;
      if (isSent && 'body' in change) continue;
      await connection.ask({ method: 'PATCH', path, headers: SINGLE, body: change });
      expect(await target.isUnchanged(folder.id, id, stored, signal)).toBe(false);
      await target.delete(folder.id, id, kind, signal);
      expect(await target.isUnchanged(folder.id, id, stored, signal)).toBe(false);
    }
  });

  it('treats a task without its steps, and a contact without its photo, as changed', async () => {
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

  const MIME = (text: string, attached: string) =>
    [
      'Message-ID: <paid@contoso.example>',
      'Subject: Paid',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b\r\nContent-Type: text/plain; charset=utf-8',
      '',
      text,
      '--b\r\nContent-Type: text/csv; name=sums.csv\r\nContent-Disposition: attachment; filename=sums.csv',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(attached).toString('base64'),
      '--b--',
      '',
    ].join('\r\n');

  function messageOf(mime: string): NewItem {
    const bytes = Buffer.from(mime);
    const open = async function* () {
      yield bytes;
    };
    const properties = { internetMessageId: '<paid@contoso.example>', subject: 'Paid', isDraft: true };
    return { kind: 'message', properties, contents: [{ name: 'mime', sizeBytes: bytes.length, open }] };
  }

  it('treats a message as changed when its text differs after a `<`, an attachment has other bytes, or it was answered since', async () => {
    const { target, connection, object } = await mailbox();
    const folder = await target.createFolder({ kind: 'mail-folder', name: 'Restored', parentId: null }, signal);
    const stored = messageOf(MIME('1 < 2, pay 10', '10'));
    const isUnchanged = (id: string) => target.isUnchanged(folder.id, id, stored, signal);
    const { id } = await target.create(folder.id, stored, signal);
    expect(await isUnchanged(id)).toBe(true);
    for (const mime of [MIME('1 < 2, pay 99', '10'), MIME('1 < 2, pay 10', '99')])
      expect(await isUnchanged((await target.create(folder.id, messageOf(mime), signal)).id)).toBe(false);
    const answered = { singleValueExtendedProperties: [{ id: 'Integer 0x1081', value: '102' }] };
    const path = `/users/${object.id}/messages/${encodeURIComponent(id)}`;
    await connection.ask({ method: 'PATCH', path, headers: SINGLE, body: answered });
    expect(await isUnchanged(id)).toBe(false);
  });

  it('treats a message that cannot be parsed as changed, and does not fail', async () => {
    const { target } = await mailbox();
    const folder = await target.createFolder({ kind: 'mail-folder', name: 'Restored', parentId: null }, signal);
    const { id } = await target.create(folder.id, messageOf(MIME('', '')), signal);
    const deep = Array.from(
      { length: 300 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}`,
    );
    const bomb = messageOf(`Message-ID: <paid@contoso.example>\r\nSubject: Paid\r\n${deep.join('\r\n')}`);
    expect(await target.isUnchanged(folder.id, id, bomb, signal)).toBe(false);
  });

  it('finds out from the list that a task of the same name differs, without a further request', async () => {
    const { replica, target } = await mailbox();
    const folder = await target.createFolder({ kind: 'task-list', name: 'Restored', parentId: null }, signal);
    const found = [...replica.items.values()].find(({ item }) => item.kind === 'task')?.item;
    if (found === undefined) throw new Error('There is no task.');
    const task = newItem(replica, found, 'task', ['export']);
    const of = (day: number): NewItem => ({
      ...task,
      properties: { ...task.properties, completedDateTime: { dateTime: `2026-01-0${day}T00:00:00`, timeZone: 'UTC' } },
    });
    const { id } = await target.create(folder.id, of(1), signal);
    expect((await target.find(folder.id, of(1), signal)).find((one) => one.id === id)?.differs).toBeUndefined();
    expect((await target.find(folder.id, of(2), signal)).find((one) => one.id === id)?.differs).toBe(true);
  });

  it('empties the fields of a replaced contact that were filled since, and reports what cannot be replaced', async () => {
    const { replica, target, connection, object } = await mailbox();
    const one = (kind: 'contact' | 'event') => {
      const found = [...replica.items.values()].find(
        ({ item }) => item.kind === kind && !propertiesOf(replica, item.id)['attendees']?.toString(),
      );
      if (found === undefined) throw new Error(`There is no ${kind}.`);
      const whole = newItem(replica, found.item, kind, ['export']);
      return { ...whole, contents: [], properties: { ...whole.properties, nickName: null, attachments: [] } };
    };
    const [contact, event] = [one('contact'), one('event')];
    const [contacts, calendar] = await Promise.all(
      (['contact-folder', 'calendar'] as const).map((kind) =>
        target.createFolder({ kind, name: 'Restored', parentId: null }, signal),
      ),
    );
    const made = (await target.create(contacts?.id ?? '', contact, signal)).id;
    const path = `/users/${object.id}/contacts/${encodeURIComponent(made)}`;
    await connection.ask({ method: 'PATCH', path, headers: SINGLE, body: { nickName: 'Added since' } });
    expect((await target.replace(contacts?.id ?? '', made, contact, signal)).losses).toEqual([]);
    expect((await connection.ask({ path, headers: SINGLE }))['nickName']).toBeNull();

    const { id } = await target.create(calendar?.id ?? '', event, signal);
    const attached = { '@odata.type': '#microsoft.graph.fileAttachment', name: 'a.txt', contentBytes: 'YQ==' };
    const attachments = `/users/${object.id}/events/${encodeURIComponent(id)}/attachments`;
    await connection.ask({ method: 'POST', path: attachments, headers: SINGLE, body: attached });
    const { losses } = await target.replace(calendar?.id ?? '', id, event, signal);
    expect(losses).toEqual(['its attachments as they were']);
  });

  it('returns an existing folder of the same name, and creates no second one', async () => {
    const { target } = await mailbox();
    const folder = { kind: 'mail-folder', name: 'Restored', parentId: null } as const;
    const [one, other] = [await target.createFolder(folder, signal), await target.createFolder(folder, signal)];
    // Two restores at once: neither finds it before the other has made it.
    const atOnce = { ...folder, name: 'At once' };
    const both = await Promise.all([1, 2].map(() => target.createFolder(atOnce, signal)));
    expect(both[0]?.id).toBe(both[1]?.id);
    expect(other.id).toBe(one.id);
    const within = await target.createFolder({ ...folder, parentId: one.id }, signal);
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

  it('deletes an item once, and does not fail when it is deleted again', async () => {
    const { replica, target } = await mailbox();
    const task = [...replica.items.values()].map(({ item }) => item).find(({ kind }) => kind === 'task');
    if (task === undefined) throw new Error('The mailbox has no task.');
    await target.delete(task.parentId ?? '', task.id, 'task', signal);
    await target.delete(task.parentId ?? '', task.id, 'task', signal);
    await replica.read();
    expect(replica.items.has(task.id)).toBe(false);
  });
});
