import { Connectors } from '@keepwatch/connectors/base/registry';
import type { Ports } from '@keepwatch/connectors/ports/ports';
import { connectors } from '@keepwatch/connectors/registry';
import type { Mail } from '@keepwatch/connectors/testing/mail';
import { type MailSandbox, startMailSandbox } from '@keepwatch/connectors/testing/mail-sandbox';
import {
  checkConnection,
  createConnection,
  deleteConnection,
  editConnection,
  listConnections,
  listConnectorKinds,
  testConnection,
} from '@keepwatch/contract/connections/connections';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { row, rows } from '../foundation/database.ts';
import { openLog } from '../foundation/log.ts';
import { deliverNext } from '../foundation/outbox/outbox.ts';
import type { Queue } from '../foundation/queue.ts';
import { newId, secretBox } from '../foundation/secrets.ts';
import { connectionSubscribers } from '../notifications/connection-alarms.ts';
import { buildCompany, buildConnection } from '../testing/builders.ts';
import { liveChangesOf } from '../testing/live-changes.ts';
import { settle } from '../testing/settle.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';
import { checkUnusedConnections } from './check-unused.ts';
import { openSettings } from './connection-settings.ts';
import { findConnection, type StoredConnection } from './connections.ts';

/** A connector of a port that the portal does not have costs a folder, its port and this line. */
const WITH_MAIL = new Connectors<Ports & { mail: Mail }>({
  'backup-source': { label: 'Backup source', kinds: { vac: { label: 'Console', load: () => connectorOf('vac') } } },
  mail: {
    label: 'Mail',
    kinds: { mail: { label: 'Mail service', load: () => import('@keepwatch/connectors/testing/mail') } },
  },
});

const log = openLog('silent', 'test');
/** Remembers nothing: what is due is delivered by the test. */
const queue: Queue = { send: async () => {}, isAnswering: async () => true };
const box = secretBox('secret of the tests');
const KEY = '-----BEGIN PRIVATE KEY-----';
let portal: TestPortal;
let sandbox: MailSandbox;
let admin: Caller;
let stranger: Caller;

beforeAll(async () => {
  portal = await startTestPortal(undefined, { connectors: WITH_MAIL });
  sandbox = await startMailSandbox();
  admin = await portal.as('super-admin');
  stranger = await portal.as('super-admin', { providerId: 2 });
});
afterAll(async () => {
  await portal.stop();
  await sandbox.stop();
});

async function connectorOf(kind: string) {
  return { manifest: await connectors.load('backup-source', kind) };
}

function settings(given: Record<string, string> = {}): Record<string, string> {
  return { url: sandbox.url.href, token: sandbox.token, priority: 'high', key: KEY, ...given };
}

function mail(given: Record<string, string> = {}) {
  return { port: 'mail', kind: 'mail', settings: settings(given) };
}

async function connected(name = 'Our mail') {
  return (await admin.call(createConnection, { body: { ...mail(), name } })).data;
}

async function stored(id: string): Promise<StoredConnection> {
  const found = await findConnection(portal.database, 1, id);
  if (found === null) throw new Error('The connection was not stored.');
  return found;
}

describe('GET connector kinds', () => {
  it('200: lists the kinds of all ports with the fields of their forms', async () => {
    const { data } = await admin.call(listConnectorKinds, {});
    expect(data).toMatchObject([
      { port: 'backup-source', kind: 'vac', isManagedHere: false },
      { port: 'mail', kind: 'mail', label: 'Mail service', isManagedHere: true },
    ]);
    expect(data[1]?.settings).toEqual((await WITH_MAIL.load('mail', 'mail')).settings);
  });

  it('403: refuses users who are limited to some companies, and those without the ability', async () => {
    const companyId = await buildCompany(portal.database);
    const limited = await portal.as('super-admin', { companyIds: [companyId] });
    for (const caller of [limited, await portal.as('admin')])
      expect((await caller.send(listConnections, {})).status).toBe(403);
  });
});

describe('POST connections', () => {
  it('200: saves what works, with sealed secrets and files bound to their row', async () => {
    const connection = await connected();
    expect(connection).toMatchObject({ port: 'mail', purpose: 'Mail', label: 'Mail service', companies: 0 });
    expect(connection.health).toMatchObject({ state: 'ok', message: 'Mail service 3.1 answers.' });
    expect(connection.settings).toEqual({ url: sandbox.url.href, priority: 'high', perMinute: '', archive: '' });
    const row = await stored(connection._id);
    expect(openSettings(box, row)).toMatchObject({ token: sandbox.token, key: KEY });
    expect(() => openSettings(box, { ...row, id: newId() })).toThrow();
    expect(JSON.stringify(row) + row.secrets?.toString('latin1')).not.toContain(sandbox.token);
  });

  it('200: opens as its port', async () => {
    const row = await stored((await connected())._id);
    const manifest = await WITH_MAIL.load('mail', row.kind);
    const context = { now: () => portal.clock.now, allowPrivateAddresses: true, log: () => {} };
    const opened = manifest.open(openSettings(box, row), context);
    await opened.send({ to: 'a@example.test', text: 'Hello' }, new AbortController().signal);
    expect(sandbox.sent).toEqual([JSON.stringify({ to: 'a@example.test', text: 'Hello' })]);
  });

  it.each([
    ['token', '', 'Token is required.'],
    ['priority', 'low', 'Priority must be one of normal, high.'],
    ['perMinute', '601', 'Messages a minute must be a whole number from 1 to 600.'],
    ['perMinute', '1e2', 'Messages a minute must be a whole number from 1 to 600.'],
    ['archive', 'yes', 'Keep a copy must be true or false.'],
    ['password', 'x', 'is no setting of this kind of connection'],
  ])('422: refuses a field that cannot be so, by its name: %s %j', async (name, value, message) => {
    const response = await admin.send(createConnection, { body: { ...mail({ [name]: value }), name: 'Wrong' } });
    expect(response.status).toBe(422);
    expect((await response.json()).errors).toEqual([{ path: `body.settings.${name}`, message }]);
  });

  it('422: refuses settings that do not work and unknown ports and kinds; 409: a port that has a screen of its own', async () => {
    const send = (body: ReturnType<typeof mail>) => admin.send(createConnection, { body: { ...body, name: 'Wrong' } });
    const wrong = await send(mail({ token: 'wrong' }));
    expect(await wrong.json()).toMatchObject({ errors: [{ message: 'The token was refused; enter another.' }] });
    const port = await send({ ...mail(), port: 'constructor' });
    expect(await port.json()).toMatchObject({ errors: [{ path: 'body.port' }] });
    const kind = await send({ ...mail(), kind: 'constructor' });
    expect(await kind.json()).toMatchObject({ errors: [{ path: 'body.kind' }] });
    expect((await send({ port: 'backup-source', kind: 'vac', settings: {} })).status).toBe(409);
  });
});

describe('POST connections/test', () => {
  it.each([
    ['works', {}],
    ['wrong-credentials', { token: 'wrong' }],
    ['not-reachable', { url: 'http://127.0.0.1:1' }],
  ])('200: reports %s', async (outcome, given) => {
    const { data } = await admin.call(testConnection, { body: mail(given) });
    expect(data.outcome).toBe(outcome);
    expect(data.message).not.toContain(sandbox.token);
  });

  it('uses stored secrets for the address they were entered for, and for no other', async () => {
    const { _id: connectionId } = await connected();
    const { token: _, ...shown } = settings();
    const test = (url: string) =>
      admin.send(testConnection, { body: { ...mail(), settings: { ...shown, url }, connectionId } });
    expect(await (await test(sandbox.url.href)).json()).toMatchObject({ data: { outcome: 'works' } });
    expect((await test('http://127.0.0.1:1')).status).toBe(422);
  });
});

describe('POST connections/{id}/check', () => {
  it('200: tests the stored settings and records since when they fail or work', async () => {
    const { _id: id } = await connected('Checked');
    const health = async () =>
      (await admin.call(listConnections, {})).data.find((connection) => connection._id === id)?.health;
    const check = async () => {
      portal.clock.now = new Date(portal.clock.now.getTime() + 60_000);
      await admin.call(checkConnection, { params: { id } });
      return portal.clock.now.getTime();
    };
    const began = portal.clock.now.getTime();
    await check();
    const again = await check();
    const found = await health();
    expect(found).toMatchObject({ state: 'ok', message: 'Mail service 3.1 answers.' });
    expect([found?.since, found?.checkedAt]).toEqual([began, again].map((ms) => new Date(ms).toISOString()));
    sandbox.isClosed = true;
    const failed = await check();
    sandbox.isClosed = false;
    const failing = await health();
    expect(failing).toMatchObject({ state: 'failing', message: 'The token was refused; enter another.' });
    expect(Date.parse(failing?.since ?? '')).toBe(failed);
  });
});

describe('POST connections/{id}/check of one that cannot be opened', () => {
  it.each([
    ['wrong-version', "kind = 'future'", 'There is no connector "future" for mail; there are: mail.'],
    ['wrong-credentials', "secrets = 'of another key'", 'The stored secrets cannot be opened'],
  ])('200: reports %s and records it: %s', async (outcome, broken, message) => {
    const { _id: id } = await connected('Broken');
    await portal.database.query(`update connections set ${broken} where id = $1`, [id]);
    const { data } = await admin.call(checkConnection, { params: { id } });
    expect(data).toMatchObject({ outcome, message: expect.stringContaining(message) });
    const listed = (await admin.call(listConnections, {})).data.find(({ _id }) => _id === id);
    expect(listed?.health).toMatchObject({ state: 'failing' });
    await admin.call(deleteConnection, { params: { id } });
  });

  it('200: saves secrets that are entered again where the stored ones cannot be opened', async () => {
    const { _id: id } = await connected('Lost key');
    await portal.database.query("update connections set secrets = 'of another key' where id = $1", [id]);
    await admin.call(editConnection, { params: { id }, body: { name: 'Lost key', settings: settings() } });
    expect(openSettings(box, await stored(id))).toMatchObject({ token: sandbox.token });
  });
});

describe('PUT connections/{id}', () => {
  it('200: leaves omitted secrets as they are, and records the change without them', async () => {
    const { _id: id } = await connected();
    const body = { name: 'Renamed', isEnabled: false, settings: { url: sandbox.url.href, priority: 'normal' } };
    const { data } = await admin.call(editConnection, { params: { id }, body });
    expect(data).toMatchObject({ name: 'Renamed', isEnabled: false, settings: { priority: 'normal' } });
    expect(openSettings(box, await stored(id))).toMatchObject({ token: sandbox.token, key: KEY });
    await admin.call(deleteConnection, { params: { id } });
    const entries = await rows<{ action: string }>(
      portal.database,
      sql`select action, before, after from audit_entries where target_id = ${id} order by action`,
    );
    expect(entries.map(({ action }) => action)).toEqual(['connection.create', 'connection.delete', 'connection.edit']);
    expect(JSON.stringify(entries)).not.toContain(sandbox.token);
    expect(await row(portal.database, sql`select secrets from connections where id = ${id}`)).toEqual({
      secrets: null,
    });
  });

  it('announces every change and every test to open browsers of the provider', async () => {
    let id = '';
    const changes = [
      await liveChangesOf(portal, async () => {
        id = (await connected())._id;
      }),
      await liveChangesOf(portal, () => admin.call(checkConnection, { params: { id } })),
      await liveChangesOf(portal, () =>
        admin.call(editConnection, { params: { id }, body: { name: 'Live', isEnabled: true, settings: settings() } }),
      ),
      await liveChangesOf(portal, () => admin.call(deleteConnection, { params: { id } })),
    ];
    expect(changes).toEqual(Array.from({ length: 4 }, () => ['1 connections.changed']));
  });

  it('404: knows no connection of another provider; 409: one that has a screen of its own', async () => {
    const { _id: id } = await connected();
    const body = { name: 'Mine', settings: settings() };
    expect((await stranger.send(editConnection, { params: { id }, body })).status).toBe(404);
    expect((await stranger.send(deleteConnection, { params: { id } })).status).toBe(404);
    expect((await stranger.send(checkConnection, { params: { id } })).status).toBe(404);
    const console = await buildConnection(portal.database);
    expect((await admin.send(editConnection, { params: { id: console }, body })).status).toBe(409);
    expect((await admin.send(deleteConnection, { params: { id: console } })).status).toBe(409);
  });
});

describe('GET connections', () => {
  it('200: lists those of every port, with the companies that have an id in each', async () => {
    const console = await buildConnection(portal.database);
    await buildCompany(portal.database, { name: 'Linked', vacId: 'a', connectionId: console });
    const removed = await buildCompany(portal.database, { vacId: 'b', connectionId: console });
    await portal.database.query('update companies set deleted_at = now() where id = $1', [removed]);
    const { data } = await admin.call(listConnections, {});
    expect(data.find(({ _id }) => _id === console)).toMatchObject({ port: 'backup-source', kind: 'vac', companies: 1 });
    expect((await stranger.call(listConnections, {})).data).toEqual([]);
  });
});

describe('connections that nothing else uses', () => {
  const check = () =>
    checkUnusedConnections(
      {
        database: portal.database,
        log,
        now: () => portal.clock.now,
        secrets: box,
        connectors: WITH_MAIL,
        allowPrivateAddresses: true,
      },
      new AbortController().signal,
    );
  /** Nights later, what was found out is delivered, and sessions have expired. */
  const nextNight = async () => {
    portal.clock.now = new Date(portal.clock.now.getTime() + 86_400_000);
    await check();
    await deliver();
    admin = await portal.as('super-admin');
  };
  const deliver = async () => {
    const services = { database: portal.database, queue, subscribers: connectionSubscribers, log };
    while (await deliverNext(services));
    await settle(portal.database, queue);
  };
  const banners = async (id: string) =>
    rows<{ message: string; isOpen: boolean }>(
      portal.database,
      sql`select message, ended_at is null as "isOpen" from notifications where event = ${`connections.failing.${id}`}`,
    );
  beforeEach(async () => {
    sandbox.isClosed = false;
    await portal.database.query('delete from connections where port = $1', ['mail']);
  });
  afterAll(() => {
    sandbox.isClosed = false;
  });

  it('are tested at night, and people are shown since when one fails, until it works', async () => {
    const { _id: id } = await connected('Watched');
    await nextNight();
    expect(await banners(id)).toEqual([]);
    sandbox.isClosed = true;
    await nextNight();
    const since = portal.clock.now.toISOString().slice(0, 16).replace('T', ' ');
    await nextNight();
    const message = `The connection "Watched" has been failing since ${since} UTC: The token was refused; enter another.`;
    expect(await banners(id)).toEqual([{ message, isOpen: true }]);
    sandbox.isClosed = false;
    await nextNight();
    expect(await banners(id)).toEqual([{ message, isOpen: false }]);
  });

  it('are no longer failing for people when they are switched off or deleted', async () => {
    const [off, deleted] = [(await connected('Off'))._id, (await connected('Deleted'))._id];
    sandbox.isClosed = true;
    await nextNight();
    const { token: _, key: __, ...shown } = settings();
    const body = { name: 'Off', isEnabled: false, settings: { ...shown, perMinute: '', archive: '' } };
    await admin.call(editConnection, { params: { id: off }, body });
    await admin.call(deleteConnection, { params: { id: deleted } });
    await nextNight();
    for (const id of [off, deleted]) expect(await banners(id)).toMatchObject([{ isOpen: false }]);
  });

  it('are failing for people again when they are switched on and still fail', async () => {
    const { _id: id } = await connected('On again');
    sandbox.isClosed = true;
    await nextNight();
    const { token: _, key: __, ...shown } = settings();
    const body = { name: 'On again', settings: { ...shown, perMinute: '', archive: '' } };
    await admin.call(editConnection, { params: { id }, body: { ...body, isEnabled: false } });
    await deliver();
    expect(await banners(id)).toMatchObject([{ isOpen: false }]);
    expect(
      (await admin.call(editConnection, { params: { id }, body: { ...body, isEnabled: true } })).data,
    ).toMatchObject({
      isEnabled: true,
      health: { state: 'failing' },
    });
    await deliver();
    expect((await banners(id)).filter(({ isOpen }) => isOpen)).toHaveLength(1);
  });

  it('are those that nothing used lately, one that cannot be tested does not hold up the others, and consoles have alarms of their own', async () => {
    const { _id: id } = await connected('Used');
    const console = await buildConnection(portal.database, { kind: 'unknown' });
    const before = (await admin.call(listConnections, {})).data.find(({ _id }) => _id === id)?.health;
    await check();
    const found = (await admin.call(listConnections, {})).data;
    expect(found.find(({ _id }) => _id === id)?.health).toEqual(before);
    await portal.database.query("update connections set kind = 'vac', settings = '{}' where id = $1", [console]);
    await nextNight();
    const after = (await admin.call(listConnections, {})).data;
    expect(after.find(({ _id }) => _id === console)?.health).toMatchObject({ state: 'failing' });
    expect(Date.parse(after.find(({ _id }) => _id === id)?.health?.checkedAt ?? '')).toBe(
      Date.parse(portal.clock.now.toISOString()),
    );
    expect(await banners(console)).toEqual([]);
  });
});
