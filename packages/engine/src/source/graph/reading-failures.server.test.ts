import { afterEach, describe, expect, it } from 'vitest';
import type { TenantFault } from '../../../../sandbox/src/microsoft365/faults/fault.ts';
import type { RunningTenant } from '../../../../sandbox/src/microsoft365/server.ts';
import type { StoredItem } from '../../model/items.ts';
import type { ObjectKind } from '../../model/protected-object.ts';
import { backedUpObject } from '../../testing/backed-up-object.ts';
import { useDatabase } from '../../testing/test-parts.ts';
import { textOf } from './json.ts';
import { SINGLE } from './mailbox/mailbox-paths.ts';
import type { GraphSourceOptions } from './reader.ts';

const database = useDatabase();
const open: RunningTenant[] = [];
afterEach(async () => {
  for (const tenant of open.splice(0)) await tenant.stop();
});

async function backup(kind: ObjectKind, options?: GraphSourceOptions) {
  const one = await backedUpObject(await database.parts(), kind, options);
  open.push(one.tenant);
  const count = async (of: string) => (await one.items()).filter((item) => item.kind === of).length;
  return { ...one, count };
}

type Backup = Awaited<ReturnType<typeof backup>>;

/** What a tenant without faults gives. */
async function calm(kind: ObjectKind, options?: GraphSourceOptions): Promise<StoredItem[]> {
  const one = await backup(kind, options);
  await one.backUp();
  return one.items();
}

async function idsOf({ connection, object }: Backup, what: string): Promise<string[]> {
  const path = `/users/${object.id}/${what}?$top=50&$select=id`;
  const { value } = await connection.page({ path, headers: SINGLE });
  return value.flatMap(({ id }) => textOf(id) ?? []);
}

/** Puts a message into a mailbox that is too large for a batch, and is read by a request of its own. */
async function largeMessage({ connection, object }: Backup): Promise<string> {
  const body = { subject: 'Large', body: { contentType: 'text', content: 'large '.repeat(100_000) } };
  const made = await connection.ask({ method: 'POST', path: `/users/${object.id}/messages`, headers: SINGLE, body });
  return textOf(made['id']) ?? '';
}

async function addToInbox({ connection, object }: Backup, subject: string): Promise<void> {
  const path = `/users/${object.id}/mailFolders/inbox/messages`;
  await connection.ask({ method: 'POST', path, headers: SINGLE, body: { subject } });
}

/** As a path of a fault: an id may end in characters that a path spells otherwise. */
const any = (id: string) => `${id.replace(/=+$/, '')}*`;

const refusal = (path: string, status: number, code: string): TenantFault => ({
  kind: 'throttle',
  path,
  parameters: { status, code, as: 'nothing' },
});

describe('What is not there', () => {
  it.each([
    ['the folders of mail', '/users/*/mailFolders/delta', 'mail-folder'],
    ['the lists of tasks', '/users/*/todo/lists', 'task'],
  ])('is a failure where %s are not found, and nothing is gone by it', async (_, path, kind) => {
    const one = await backup('mailbox');
    await one.backUp();
    const before = await one.count(kind);
    const { outcome, findings, counts } = await one.backUp(refusal(path, 404, 'ResourceNotFound'));
    expect({ outcome, alerts: findings.alerts, removed: counts.itemsRemoved }).toEqual({
      outcome: 'Warning',
      alerts: [],
      removed: 0,
    });
    expect(findings.failures[0]?.message).toMatch(/could not be read to the end: .*404 ResourceNotFound/);
    expect(await one.count(kind)).toBe(before);
  });

  it('is an alert where a cloud has no tasks, and says so by its code', async () => {
    const one = await backup('mailbox');
    const { outcome, findings } = await one.backUp(refusal('/users/*/todo/lists', 400, 'BadRequest'));
    expect([outcome, findings.alerts[0]?.code]).toEqual(['Success', 'part-not-offered']);
  });

  it('empties no folder of mail that is there when it is asked for itself, and the next run reads it', async () => {
    const one = await backup('mailbox');
    await one.backUp();
    const before = (await one.items()).length;
    const [id] = await idsOf(one, 'mailFolders/inbox/messages');
    await one.connection.ask({
      method: 'PATCH',
      path: `/users/${one.object.id}/messages/${id}`,
      body: { isRead: true },
    });
    one.tenant.advance(2 * 3_600_000);
    const faults = { kind: 'vanished', path: '/users/*/mailFolders/*/messages/delta' } as const;
    const { outcome, counts, findings } = await one.backUp(faults);
    expect([outcome, counts.itemsRemoved]).toEqual(['Warning', 0]);
    expect(findings.failures[0]?.message).toMatch(/the mail folder ‘.+’ could not be read to the end/);
    expect((await one.items()).length).toBe(before);
    expect((await one.backUp()).outcome).toBe('Success');
  });

  it('empties no list that is there when it is asked for itself', async () => {
    const one = await backup('site');
    await one.backUp();
    const before = await one.count('list-item');
    const { outcome, counts } = await one.backUp({ kind: 'vanished', path: '/sites/*/lists/*/items/delta' });
    expect([outcome, counts.itemsRemoved]).toEqual(['Warning', 0]);
    expect(await one.count('list-item')).toBe(before);
  });

  it('ends no scan of calendars when one of them answers nothing', async () => {
    const one = await backup('mailbox');
    await one.backUp();
    const before = await one.count('event');
    const { outcome, counts, findings } = await one.backUp({
      kind: 'vanished',
      path: '/users/*/calendars/*/events',
      times: 1,
    });
    expect([outcome, counts.itemsRemoved, findings.failures.length]).toEqual(['Warning', 0, 1]);
    expect(await one.count('event')).toBe(before);
  });

  it('loses files whose versions are not found, reports them, and has all of them in the next run', async () => {
    const one = await backup('drive', { earlierVersions: 2 });
    const { outcome, findings } = await one.backUp({ kind: 'vanished', path: '/drives/*/items/*/versions' });
    expect(outcome).toBe('Warning');
    expect(findings.lost.length).toBeGreaterThan(0);
    expect(findings.lost[0]?.reason).toMatch(/The item is there, and a part of it is not given out/);
    const again = await one.backUp({ kind: 'vanished', path: '/drives/*/items/*/versions' });
    // Stored as far as it can be read, and still reported.
    expect([again.outcome, again.findings.lost.length]).toEqual(['Warning', findings.lost.length]);
    const files = await one.count('file');
    expect((await one.backUp()).outcome).toBe('Success');
    const whole = await one.items();
    expect(files).toBe(whole.filter(({ kind }) => kind === 'file').length);
    expect(whole.some(({ contents }) => contents.some(({ name }) => name.startsWith('versions/')))).toBe(true);
    expect(whole.length).toBe((await calm('drive', { earlierVersions: 2 })).length);
  });

  it('loses an event whose attachment is not found, and keeps what is stored of it', async () => {
    const one = await backup('mailbox');
    const [id = ''] = await idsOf(one, 'events');
    const event = `/users/${one.object.id}/events/${encodeURIComponent(id)}`;
    const file = { '@odata.type': '#microsoft.graph.fileAttachment', name: 'a.txt', contentBytes: 'aGVsbG8=' };
    await one.connection.ask({ method: 'POST', path: `${event}/attachments`, headers: SINGLE, body: file });
    await one.backUp();
    await one.connection.ask({ method: 'PATCH', path: event, headers: SINGLE, body: { subject: 'Changed' } });
    const gone = await one.backUp({ kind: 'vanished', path: '/users/*/events/*/attachments/*/$value' });
    expect([gone.outcome, gone.counts.itemsRemoved, gone.counts.itemsLost]).toEqual(['Warning', 0, 1]);
    expect((await one.items()).some((item) => item.id === id)).toBe(true);
    expect((await one.backUp()).outcome).toBe('Success');
    expect((await one.items()).find((item) => item.id === id)?.name).toBe('Changed');
  });
});

describe('One item that always fails', () => {
  const faults: [string, (path: string) => TenantFault][] = [
    ['is refused', (path) => refusal(path, 403, 'ErrorAccessDenied')],
    ['answers 503', (path) => ({ kind: 'server-error', path, parameters: { status: 503 } })],
    ['is cut', (path) => ({ kind: 'cut', path, parameters: { share: 0 } })],
  ];

  it.each(faults)('is lost alone where a message %s, run after run, and is read when it can be', async (_, fault) => {
    const one = await backup('mailbox');
    const others = (await calm('mailbox')).length;
    const id = await largeMessage(one);
    const failing = fault(`/users/*/messages/${any(id)}/$value`);
    for (const lost of [1, 1]) {
      const { outcome, counts, findings } = await one.backUp(failing);
      expect([outcome, counts.itemsLost, findings.failures]).toEqual(['Warning', lost, []]);
      expect((await one.items()).length).toBe(others);
    }
    expect((await one.backUp()).outcome).toBe('Success');
    expect((await one.items()).length).toBe(others + 1);
  });

  it('costs a team its replies alone, which are reported until they are read', async () => {
    const whole = await calm('team');
    const one = await backup('team');
    const team = one.tenant.tenant.teams.find(one.object.id);
    const [channel] = [...(team?.channels.values() ?? [])];
    const post = channel?.conversation.all.find(({ replyToId }) => replyToId === null);
    await one.backUp();
    if (channel === undefined || post === undefined) throw new Error('The team has no post.');
    channel.conversation.edit(post, 'Changed', one.tenant.tenant.nowMs());
    const path = `/teams/*/channels/*/messages/${post.id}/replies`;
    for (const _ of [1, 2]) {
      const { outcome, counts, findings } = await one.backUp({ kind: 'corrupt', path });
      expect([outcome, counts.itemsLost, findings.failures]).toEqual(['Warning', 1, []]);
    }
    expect((await one.backUp()).outcome).toBe('Success');
    expect((await one.items()).length).toBe(whole.length);
  });

  it('ends no archive that tries it again', async () => {
    const whole = await calm('archive');
    const one = await backup('archive');
    const exports = '/admin/exchange/mailboxes/*/exportItems';
    const first = await one.backUp({ kind: 'corrupt', path: exports });
    expect([first.outcome, first.counts.itemsLost > 1]).toEqual(['Warning', true]);
    const items = `/admin/exchange/mailboxes/*/folders/*/items/${any(first.findings.lost[0]?.id ?? '')}`;
    const again = await one.backUp({ kind: 'server-error', path: items, parameters: { status: 500 } });
    expect([again.outcome, again.counts.itemsLost]).toEqual(['Warning', 1]);
    expect((await one.backUp()).outcome).toBe('Success');
    expect((await one.items()).length).toBe(whole.length);
  });
});

describe('A container that fails', () => {
  it('is given up after many items in a row, and the other containers are read', async () => {
    const one = await backup('mailbox');
    const added = 80;
    for (let number = 0; number < added; number += 1) await addToInbox(one, `Message ${number}`);
    const messages = refusal('/users/*/messages/*/$value', 403, 'ErrorAccessDenied');
    const { outcome, counts, findings } = await one.backUp(messages);
    expect(outcome).toBe('Warning');
    const whole = await calm('mailbox');
    const all = whole.filter(({ kind }) => kind === 'message').length + added;
    expect(counts.itemsLost).toBeLessThan(all);
    expect(findings.failures.some(({ message }) => /mail folder ‘Inbox’/.test(message))).toBe(true);
    for (const kind of ['event', 'contact', 'task']) expect(await one.count(kind)).toBeGreaterThan(0);
    expect((await one.backUp()).outcome).toBe('Success');
    expect((await one.items()).length).toBe(whole.length + added);
  });

  it.each<[string, (path: string) => TenantFault]>([
    ['503', (path) => ({ kind: 'server-error', path, parameters: { status: 503 } })],
    ['403', (path) => refusal(path, 403, 'accessDenied')],
    ['with a corrupt answer', (path) => ({ kind: 'corrupt', path })],
  ])('costs a site the columns of one list where these answer %s, and the next run has them', async (_, fault) => {
    const whole = await calm('site');
    const parentOf = (kind: string) => whole.find((item) => item.kind === kind)?.parentId ?? '';
    const list = whole.find(({ id }) => id === parentOf('list-item'));
    const one = await backup('site');
    const columns = fault(`/sites/*/lists/${list?.id}/columns`);
    // Graph gives the columns of all lists in one answer, which one of them is enough to spoil.
    const { outcome, findings } = await one.backUp({ kind: 'corrupt', path: '/sites/*/lists', times: 1 }, columns);
    expect([outcome, findings.failures.length, findings.lost]).toEqual(['Warning', 1, []]);
    expect(findings.failures[0]?.message).toContain(`content types of the list ‘${list?.name}’ could not be read`);
    const isOfIts = ({ kind, parentId }: StoredItem) => parentId === list?.id && /column|content/.test(kind);
    expect((await one.items()).length).toBe(whole.filter((item) => !isOfIts(item)).length);
    expect((await one.backUp()).outcome).toBe('Success');
    expect((await one.items()).length).toBe(whole.length);
    await one.backUp({ kind: 'corrupt', path: '/sites/*/lists', times: 1 }, columns);
    expect((await one.items()).length).toBe(whole.length);
  });

  it.each(['columns', 'contentTypes', 'sites', 'permissions', 'pages'])(
    'costs a site its %s alone, and nothing that is stored of these is gone',
    async (part) => {
      const one = await backup('site');
      const fault = { kind: 'corrupt', path: `/sites/*/${part}` } as const;
      const { outcome, findings } = await one.backUp(fault);
      expect([outcome, findings.failures.length]).toEqual(['Warning', 1]);
      expect(await one.count('list-item')).toBeGreaterThan(0);
      expect((await one.backUp()).outcome).toBe('Success');
      const whole = await one.items();
      expect((await one.backUp(fault)).counts.itemsRemoved).toBe(0);
      expect(await one.items()).toEqual(whole);
    },
  );

  it('ends the object when that answers nothing either', async () => {
    const one = await backup('mailbox');
    const { outcome, counts } = await one.backUp({ kind: 'server-error', parameters: { status: 503 } });
    expect([outcome, counts.objectsFailed, counts.itemsLost]).toEqual(['Failed', 1, 0]);
  });
});

it('a message whose protection forbids its text is named, and the rest of it is stored', async () => {
  const one = await backup('mailbox');
  const [id = ''] = await idsOf(one, 'mailFolders/inbox/messages');
  const path = `/users/*/messages/${any(id)}/$value`;
  const { outcome, findings } = await one.backUp(refusal(path, 403, 'ErrorRightsManagementPermanentException'));
  expect([outcome, findings.skipped.map(({ cause }) => cause)]).toEqual(['Success', ['protected']]);
  const stored = (await one.items()).find((item) => item.id === id);
  expect(stored?.details).toMatchObject({ without: 'protected' });
  expect(stored?.contents.map(({ name }) => name)).toEqual(['properties']);
});

it('contact folders are read at any depth', async () => {
  const one = await backup('mailbox');
  let path = `/users/${one.object.id}/contactFolders`;
  for (let depth = 1; depth <= 12; depth += 1) {
    const body = { displayName: `Depth ${depth}` };
    const made = await one.connection.ask({ method: 'POST', path, headers: SINGLE, body });
    path = `/users/${one.object.id}/contactFolders/${encodeURIComponent(String(made['id']))}/childFolders`;
  }
  await one.backUp();
  expect((await one.items()).map(({ name }) => name)).toContain('Depth 12');
});
