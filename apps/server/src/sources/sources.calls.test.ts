import { isDeepStrictEqual } from 'node:util';
import { connectors } from '@keepwatch/connectors/registry';
import {
  createSource,
  deleteSource,
  editSource,
  getLastSync,
  listSourceKinds,
  listSources,
  listUnmatchedRuns,
  startSync,
  testSource,
} from '@keepwatch/contract/sources/sources';
import { type RunningSandbox, startSandbox } from '@keepwatch/sandbox/server';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSettings, type StoredSettings } from '../connections/connection-settings.ts';
import { execute, row, rows } from '../foundation/database.ts';
import { newId, secretBox } from '../foundation/secrets.ts';
import { buildCompany, buildJob } from '../testing/builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let sandbox: RunningSandbox;
let admin: Caller;
let limited: Caller;
let stranger: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  sandbox = await startSandbox({ companyCount: 2 });
  admin = await portal.as('admin');
  limited = await portal.as('admin', { companyIds: [await buildCompany(portal.database)] });
  stranger = await portal.as('admin', { providerId: 2 });
});
afterAll(async () => {
  await portal.stop();
  await sandbox.stop();
});

function settings(given: Record<string, string> = {}): Record<string, string> {
  return { url: sandbox.url, apiKey: sandbox.apiKey, thumbprint: sandbox.thumbprint, ...given };
}

/** Counts the syncs of a console that were requested. */
function requestsOf(sourceId: string): number {
  return portal.sent.filter((job) => isDeepStrictEqual(job, requestOf(sourceId))).length;
}

function requestOf(sourceId: string) {
  return { name: 'sources.sync', payload: { sourceId, isRequested: true } };
}

async function connected(name = 'Our console') {
  return (await admin.call(createSource, { body: { kind: 'vac', name, settings: settings() } })).data;
}

describe('GET source kinds', () => {
  it('200: lists the kinds of sources with the fields of their forms', async () => {
    const { data } = await admin.call(listSourceKinds, {});
    const manifest = await connectors.load('backup-source', 'vac');
    expect(data).toEqual([{ kind: 'vac', label: manifest.label, settings: manifest.settings }]);
  });

  it('403: refuses users who are limited to some companies, at every call about consoles', async () => {
    const id = (await connected())._id;
    const body = { kind: 'vac', name: 'x', settings: settings() };
    const tries = await Promise.all([
      limited.send(listSourceKinds, {}),
      limited.send(listSources, {}),
      limited.send(testSource, { body: { kind: 'vac', settings: settings() } }),
      limited.send(createSource, { body }),
      limited.send(editSource, { params: { id }, body: { name: 'x', settings: settings() } }),
      limited.send(deleteSource, { params: { id } }),
    ]);
    expect(tries.map((response) => response.status)).toEqual(Array(tries.length).fill(403));
  });
});

describe('POST sources/test', () => {
  it('200: confirms working settings with the version of the console', async () => {
    const { data } = await admin.call(testSource, { body: { kind: 'vac', settings: settings() } });
    expect(data).toMatchObject({ outcome: 'works', message: expect.stringMatching(/Console \d+/) });
  });

  it.each([
    ['wrong-credentials', { apiKey: 'wrong' }],
    ['not-reachable', { url: 'https://127.0.0.1:1' }],
    ['not-reachable', { thumbprint: 'a'.repeat(64) }],
  ])('200: reports %s for settings that do not work', async (outcome, given) => {
    const { data } = await admin.call(testSource, { body: { kind: 'vac', settings: settings(given) } });
    expect(data.outcome).toBe(outcome);
    expect(data.message).not.toContain(sandbox.apiKey);
  });

  it('200: uses the stored secrets for the address they were entered for', async () => {
    const { _id: sourceId } = await connected();
    const { apiKey: _, ...shown } = settings();
    const { data } = await admin.call(testSource, { body: { kind: 'vac', settings: shown, sourceId } });
    expect(data.outcome).toBe('works');
  });

  it('never sends the stored secrets to another address', async () => {
    const { _id: sourceId } = await connected();
    const elsewhere = await startSandbox({ companyCount: 1, tls: false });
    const body = { kind: 'vac', settings: { url: elsewhere.url }, sourceId };
    const { data } = await admin.call(testSource, { body });
    await elsewhere.stop();
    // The key would be valid there too, but without it the settings are incomplete.
    expect(data).toMatchObject({ outcome: 'wrong-credentials', message: expect.stringContaining('Enter an API key') });
  });

  it('404: knows no source of another provider', async () => {
    const { _id: sourceId } = await connected();
    const response = await stranger.send(testSource, { body: { kind: 'vac', settings: settings(), sourceId } });
    expect(response.status).toBe(404);
  });

  it('422: refuses an unknown kind and an unknown setting', async () => {
    const kind = await admin.send(testSource, { body: { kind: '__proto__', settings: {} } });
    expect(await kind.json()).toMatchObject({ errors: [{ path: 'body.kind' }] });
    const field = await admin.send(testSource, { body: { kind: 'vac', settings: settings({ pasword: 'x' }) } });
    expect(await field.json()).toMatchObject({ errors: [{ path: 'body.settings.pasword' }] });
    const missing = await admin.send(testSource, { body: { kind: 'vac', settings: settings({ url: '' }) } });
    expect(await missing.json()).toMatchObject({ errors: [{ message: expect.stringMatching(/ is required\.$/) }] });
  });
});

describe('a source at an address of this machine or of a private network', () => {
  const ADDRESSES = ['https://127.0.0.1', 'https://localhost', 'https://[::1]', 'https://[::ffff:127.0.0.1]'];
  const PRIVATE = ['https://10.0.0.1', 'https://169.254.169.254', 'https://[fe80::1]', 'https://[fd00:ec2::254]'];
  let closed: TestPortal;
  let person: Caller;

  beforeAll(async () => {
    closed = await startTestPortal(undefined, { allowPrivateAddresses: false });
    person = await closed.as('admin');
  });
  afterAll(() => closed.stop());

  it.each([...ADDRESSES, ...PRIVATE])(
    '422: is neither called nor saved unless that is allowed: %s',
    async (address) => {
      const given = settings({ url: `${address}:${new URL(sandbox.url).port}` });
      const body = { kind: 'vac', settings: given };
      const { data } = await person.call(testSource, { body });
      expect(data).toEqual({
        outcome: 'not-reachable',
        message: expect.stringMatching(
          /private network, and this portal does not call those\. .*ALLOW_PRIVATE_ADDRESSES=true/,
        ),
      });
      const refused = await person.send(createSource, { body: { ...body, name: 'Private' } });
      expect(refused.status).toBe(422);
      expect((await refused.json()).message).toContain('ALLOW_PRIVATE_ADDRESSES=true');
      expect(await rows(closed.database, sql`select from sources union all select from connections`)).toHaveLength(0);
    },
  );
});

describe('POST sources', () => {
  it('200: saves a working source with sealed secrets, and syncs it at once', async () => {
    const source = await connected('A new console');
    expect(source).toMatchObject({
      name: 'A new console',
      label: expect.stringContaining('Console'),
      status: 'NEVER',
      jobs: 0,
    });
    expect(source.settings).toEqual({ url: sandbox.url, thumbprint: sandbox.thumbprint, username: '' });
    expect(requestsOf(source._id)).toBe(1);
    const stored = await row<StoredSettings>(
      portal.database,
      sql`select settings, secrets from connections where id = ${source._id}`,
    );
    expect(JSON.stringify(stored) + stored?.secrets?.toString('latin1')).not.toContain(sandbox.apiKey);
  });

  it('200: binds the secrets to their row, so that they cannot be opened in another one', async () => {
    const { _id: id } = await connected();
    const stored = await row<StoredSettings>(
      portal.database,
      sql`select settings, secrets from connections where id = ${id}`,
    );
    if (stored === null) throw new Error('The source was not stored.');
    const box = secretBox('secret of the tests');
    expect(openSettings(box, { ...stored, providerId: 1, id })).toMatchObject({ apiKey: sandbox.apiKey });
    expect(() => openSettings(box, { ...stored, providerId: 1, id: newId() })).toThrow();
  });

  it('422: refuses settings that do not work, with the reason', async () => {
    const before = (await admin.call(listSources, {})).data.length;
    const body = { kind: 'vac', name: 'Wrong', settings: settings({ apiKey: 'wrong' }) };
    const response = await admin.send(createSource, { body });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({
      errors: [{ path: 'body.settings' }],
      message: expect.stringContaining('not saved'),
    });
    expect((await admin.call(listSources, {})).data).toHaveLength(before);
  });
});

describe('PUT sources/{id}', () => {
  it('200: does not change secrets that the request omits', async () => {
    const { _id: id } = await connected();
    const { apiKey: _, ...shown } = settings();
    const { data } = await admin.call(editSource, {
      params: { id },
      body: { name: 'Renamed', syncIntervalMinutes: 30, settings: shown },
    });
    expect(data).toMatchObject({ name: 'Renamed', syncIntervalMinutes: 30 });
    const stored = await row<StoredSettings>(
      portal.database,
      sql`select settings, secrets from connections where id = ${id}`,
    );
    if (stored === null) throw new Error('The source was not stored.');
    expect(openSettings(secretBox('secret of the tests'), { ...stored, providerId: 1, id }).apiKey).toBe(
      sandbox.apiKey,
    );
  });

  it('200: requests another sync for new settings, also while one runs, but not for a new name or a console switched off', async () => {
    const { _id: id } = await connected();
    await admin.call(editSource, { params: { id }, body: { name: 'Renamed', settings: settings() } });
    expect(requestsOf(id)).toBe(1);
    const changed = settings({ url: `${sandbox.url}/` });
    await admin.call(editSource, { params: { id }, body: { name: 'Off', isEnabled: false, settings: changed } });
    expect(requestsOf(id)).toBe(1);
    await admin.call(editSource, { params: { id }, body: { name: 'Moved', settings: settings() } });
    expect(requestsOf(id)).toBe(2);
  });

  it('200: switches off a console that no longer answers', async () => {
    const { _id: id } = await connected();
    sandbox.setFaults([{ kind: 'server-error' }]);
    const body = { name: 'Off', isEnabled: false, settings: settings() };
    const { data } = await admin.call(editSource, { params: { id }, body });
    sandbox.setFaults([]);
    expect(data.isEnabled).toBe(false);
  });

  it('200: records who changed what, without secrets', async () => {
    const { _id: id } = await connected();
    await admin.call(editSource, { params: { id }, body: { name: 'Audited', settings: settings() } });
    await admin.call(deleteSource, { params: { id } });
    const entries = await rows<{ action: string }>(
      portal.database,
      sql`select action, before, after, user_id from audit_entries where target_id = ${id} order by action`,
    );
    expect(entries).toMatchObject([
      { action: 'source.create', user_id: admin.userId },
      { action: 'source.delete', before: { name: 'Audited' } },
      { action: 'source.edit', before: { name: 'Our console' }, after: { name: 'Audited' } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(sandbox.apiKey);
  });

  it('404: knows no source of another provider', async () => {
    const { _id: id } = await connected();
    const response = await stranger.send(editSource, { params: { id }, body: { name: 'Mine', settings: settings() } });
    expect(response.status).toBe(404);
  });

  it('422: requires the secrets again for another address', async () => {
    const { _id: id } = await connected();
    const body = { name: 'Moved', settings: { url: 'https://console.example.test:1280' } };
    expect((await admin.send(editSource, { params: { id }, body })).status).toBe(422);
  });
});

describe('DELETE sources/{id}', () => {
  it('200: deletes the console and its secrets, and marks its jobs as removed', async () => {
    const { _id: id } = await connected();
    const job = await buildJob(portal.database, { sourceId: id, overdueAt: new Date() });
    await admin.call(deleteSource, { params: { id } });
    expect((await admin.call(listSources, {})).data.map((source) => source._id)).not.toContain(id);
    expect(await row(portal.database, sql`select secrets from connections where id = ${id}`)).toEqual({
      secrets: null,
    });
    const stored = await row(
      portal.database,
      sql`select removed_at is not null as "isRemoved", overdue_at from jobs where job_instance_uid = ${job.jobInstanceUid}`,
    );
    expect(stored).toEqual({ isRemoved: true, overdue_at: null });
  });

  it('404: refuses a source of another provider, and one already deleted', async () => {
    const { _id: id } = await connected();
    expect((await stranger.send(deleteSource, { params: { id } })).status).toBe(404);
    await admin.call(deleteSource, { params: { id } });
    expect((await admin.send(deleteSource, { params: { id } })).status).toBe(404);
  });
});

describe('POST sync/start', () => {
  it('200: sends a sync of one source, or of all enabled ones', async () => {
    const { _id: id } = await connected();
    portal.sent.length = 0;
    await (await portal.as('operator')).call(startSync, { body: { sourceId: id } });
    expect(portal.sent).toEqual([requestOf(id)]);
    portal.sent.length = 0;
    await admin.call(startSync, { body: {} });
    const enabled = (await admin.call(listSources, {})).data.filter((source) => source.isEnabled);
    expect(portal.sent).toEqual(expect.arrayContaining(enabled.map((source) => requestOf(source._id))));
    expect(portal.sent).toHaveLength(enabled.length);
  });

  it('404: knows no source of another provider', async () => {
    const { _id: id } = await connected();
    expect((await stranger.send(startSync, { body: { sourceId: id } })).status).toBe(404);
  });
});

describe('GET last sync', () => {
  it('200: returns no sync when there is no source', async () => {
    expect(await stranger.call(getLastSync, {})).toMatchObject({ status: 'NEVER', lastSync: null, failed: [] });
  });
});

describe('GET unmatched runs', () => {
  it('200: lists those in scope, newest first, page by page', async () => {
    const { _id: sourceId } = await connected('Console with a past');
    const companyId = await buildCompany(portal.database, { name: 'Northwind' });
    for (const hour of [1, 2, 3])
      await execute(
        portal.database,
        sql`insert into unmatched_runs (provider_id, id, source_id, external_id, job_name, company_id, started_at, result)
            values (1, ${newId()}, ${sourceId}, ${String(hour)}, ${`Job ${hour}`}, ${hour === 3 ? null : companyId}, ${`2026-03-01T0${hour}:00:00Z`}, 'Failed')`,
      );
    const page = await admin.call(listUnmatchedRuns, { query: { limit: 2 } });
    expect(page).toMatchObject({
      count: 3,
      data: [
        { jobName: 'Job 3', companyName: null, source: 'Console with a past' },
        { jobName: 'Job 2', companyName: 'Northwind' },
      ],
    });
    const reader = await portal.as('admin', { companyIds: [companyId] });
    expect((await reader.call(listUnmatchedRuns, {})).count).toBe(2);
    expect((await stranger.call(listUnmatchedRuns, {})).count).toBe(0);
  });
});
