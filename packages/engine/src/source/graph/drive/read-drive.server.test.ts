import { afterEach, expect, test } from 'vitest';
import { generatedContent } from '../../../../../sandbox/src/microsoft365/drives/content/generated-content.ts';
import { quickXorHashOf } from '../../../../../sandbox/src/microsoft365/drives/content/quick-xor-hash.ts';
import type { RunningTenant, TenantOptions } from '../../../../../sandbox/src/microsoft365/server.ts';
import { insideOf, rareDriveOf, removeLargeFile, smallDriveOf } from '../../../testing/graph/graph-drive.ts';
import { JumpingClock, startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import type { GraphOptions } from '../connection.ts';
import { openGraphSource } from '../graph-source.ts';
import type { GraphSourceOptions } from '../reader.ts';
import { openTransport, type Send } from '../requests/transport.ts';

const DOWNLOAD = 'GET /{tenant}/_layouts/15/download.aspx';
const edit = { by: { user: { id: 'u', displayName: 'Ada' } }, atMs: Date.parse('2026-11-01T00:00:00Z') };

let tenant: RunningTenant | undefined;
afterEach(() => tenant?.stop());

/** A drive that was read once, and what it is inside. */
async function drive(which: 'small' | 'rare', options: Settings = {}) {
  const started = await startConnected(options.tenant, options.graph);
  tenant = started.tenant;
  const source = openGraphSource(started.connection, options.source);
  const object = await (which === 'small' ? smallDriveOf : rareDriveOf)(source, started.tenant);
  const replica = new Replica(source, object);
  const inside = insideOf(started.tenant, object);
  started.tenant.resetRequests();
  return { tenant: started.tenant, source, object, replica, inside };
}

interface Settings {
  tenant?: TenantOptions;
  graph?: Partial<GraphOptions>;
  source?: GraphSourceOptions;
}

const asked = (running: RunningTenant, operation: string) => running.requests().byOperation[operation] ?? 0;

test('an unchanged drive costs one request', async () => {
  const { tenant: running, replica } = await drive('small');
  await replica.read();
  running.resetRequests();
  await replica.read();
  expect(running.requests().total).toBe(1);
});

test('every file is read once, byte for byte, and an empty one without a request', async () => {
  const { tenant: running, replica, inside } = await drive('small', { source: { earlierVersions: 0 } });
  await replica.read();
  const files = [...inside.all()].filter(({ kind }) => kind === 'file');
  for (const file of files) {
    const replicated = replica.items.get(file.id);
    const hash = quickXorHashOf(replicated?.bytes.get('file') ?? Buffer.alloc(0));
    expect(replicated?.item).toMatchObject({ name: file.name, sizeBytes: file.size, kind: 'file' });
    expect(hash).toBe(file.versions[0]?.content.quickXorHash);
  }
  expect(asked(running, DOWNLOAD)).toBe(files.filter(({ size }) => size > 0).length);
});

test('a rename, a move and a new name of a folder read no bytes', async () => {
  const { tenant: running, replica, inside } = await drive('small');
  await replica.read();
  const [file, other] = [...inside.all()].filter(({ kind, size }) => kind === 'file' && size > 0);
  const folder = [...inside.all()].find(({ kind }) => kind === 'folder');
  if (!file || !other || !folder?.parent) throw new Error('The drive is too small.');
  inside.move(file, { parent: file.parent ?? inside.root, name: 'Übersicht 表 😀.txt' }, edit, 'rename');
  inside.move(other, { parent: inside.root, name: other.name }, edit, 'rename');
  inside.move(folder, { parent: folder.parent, name: 'Other name' }, edit, 'rename');
  running.resetRequests();
  await replica.read();
  expect(asked(running, DOWNLOAD)).toBe(0);
  expect(replica.items.get(file.id)?.item.name).toBe('Übersicht 表 😀.txt');
  expect(replica.items.get(other.id)?.item.parentId).toBeNull();
  expect(replica.bytesOf(file.id, 'file')?.length).toBe(file.size);
});

test('of a file that changed only the versions that are not stored yet are read', async () => {
  const { tenant: running, replica, inside } = await drive('rare', { source: { earlierVersions: 5 } });
  removeLargeFile(inside);
  await replica.read();
  const busy = [...inside.all()].find(({ name }) => name === 'Budget.xlsx');
  if (!busy) throw new Error('The drive has no file with many versions.');
  const versions = () =>
    replica.items.get(busy.id)?.item.contents.flatMap(({ name }) => (name.startsWith('versions/') ? [name] : []));
  expect(versions()).toEqual(['versions/40.0', 'versions/39.0', 'versions/38.0', 'versions/37.0', 'versions/36.0']);
  expect(replica.bytesOf(busy.id, 'versions/40.0')?.length).toBe(40_039);
  expect(replica.items.get(busy.id)?.item.details).toMatchObject({ version: '41.0', versionCount: 5 });
  inside.write(busy, generatedContent(7, 100), edit);
  running.resetRequests();
  await replica.read();
  expect(versions()).toEqual(['versions/41.0', 'versions/40.0', 'versions/39.0', 'versions/38.0', 'versions/37.0']);
  // The file, and the version that was the file before.
  expect(asked(running, DOWNLOAD)).toBe(2);
});

test('malware, notebooks and links are reported as skipped, and nothing is lost', async () => {
  const { replica, inside } = await drive('rare', { source: { earlierVersions: 0 } });
  removeLargeFile(inside);
  await replica.read();
  const skipped = replica.events.flatMap((event) => (event.type === 'skipped' ? [[event.name, event.cause]] : []));
  expect(Object.fromEntries(skipped)).toMatchObject({ 'infected.exe': 'malware', 'Team notebook': 'package' });
  expect(replica.lost.size).toBe(0);
  const infected = [...replica.items.values()].find(({ item }) => item.name === 'infected.exe');
  expect([...(infected?.bytes.keys() ?? [])]).toEqual(['properties']);
});

test('stores with whom an item is shared, and no link that opens it', async () => {
  const { replica, inside } = await drive('small');
  const shared = [...inside.all()].find(({ kind, permissions }) => kind === 'file' && permissions.length > 0);
  await replica.read();
  for (const { bytes } of replica.items.values()) expect(bytes.get('properties')?.toString()).not.toContain('tempauth');
  const properties = JSON.parse(replica.bytesOf(shared?.id ?? '', 'properties')?.toString() ?? '{}');
  expect(properties.permissions[0]).toMatchObject({ roles: shared?.permissions[0]?.roles });
  expect(properties.permissions[0].inheritedFrom).toBeUndefined();
});

test('a permission that was revoked is gone at the next reading, though the file keeps its tags', async () => {
  const { replica, inside } = await drive('small');
  const shared = [...inside.all()].find(({ kind, permissions }) => kind === 'file' && permissions.length > 0);
  if (!shared) throw new Error('Nothing is shared.');
  await replica.read();
  shared.permissions = [];
  inside.changes.record(shared.id);
  await replica.read();
  expect(replica.bytesOf(shared.id, 'properties')?.toString()).not.toContain('permissions');
});

test('a download that is cut goes on where it was', async () => {
  const { tenant: running, replica, inside } = await drive('small', { source: { earlierVersions: 0 } });
  running.setFaults([{ kind: 'cut', path: '/*/download.aspx', times: 5, parameters: { share: 0.5 } }]);
  await replica.read();
  expect(replica.lost.size).toBe(0);
  expect(replica.items.size).toBe([...inside.all()].length);
});

test('a link that expired before the bytes were read is renewed', async () => {
  const { tenant: running, source, object, inside } = await drive('small', { source: { earlierVersions: 0 } });
  const file = [...inside.all()].find(({ kind, size }) => kind === 'file' && size > 0);
  const { signal } = new AbortController();
  const current = async () => new Map();
  for await (const event of source.read({ object, cursors: new Map(), lost: [], current, signal })) {
    if (event.type !== 'item' || event.item.id !== file?.id) continue;
    running.advance(2 * 3_600_000);
    running.resetRequests();
    const content = event.contents.find(({ name }) => name === 'file');
    if (content === undefined || !('open' in content)) throw new Error('The file has no bytes to open.');
    let sizeBytes = 0;
    for await (const chunk of content.open(signal)) sizeBytes += chunk.length;
    expect(sizeBytes).toBe(file.size);
    expect(running.requests().byStatus).toMatchObject({ 401: 1 });
    return;
  }
  expect.fail('The file was not listed.');
});

test('bytes that are not those the drive lists are read again, and the right ones are stored', async () => {
  const { tenant: running, replica } = await drive('small', { source: { earlierVersions: 0 } });
  running.setFaults([{ kind: 'garbage', path: '/*/download.aspx', times: 1 }]);
  await replica.read();
  expect(replica.lost.size).toBe(0);
  const again = new Replica(replica.source, replica.object);
  running.setFaults([]);
  await again.read();
  expect(again.state()).toEqual(replica.state());
});

test('bytes that differ from the listing and from each other, and none at all, are lost, and read when they come right', async () => {
  const { tenant: running, replica, inside } = await drive('small', { source: { earlierVersions: 0 } });
  const file = [...inside.all()].find(({ kind, size }) => kind === 'file' && size > 0);
  running.setFaults([
    { kind: 'garbage', path: '/*/download.aspx', times: 2 },
    { kind: 'garbage', path: '/*/download.aspx', parameters: { form: 'empty' } },
  ]);
  await replica.read();
  expect(replica.lost.size).toBeGreaterThan(3);
  running.setFaults([]);
  await replica.read();
  expect(replica.lost.size).toBe(0);
  expect(replica.bytesOf(file?.id ?? '', 'file')?.length).toBe(file?.size);
});

test('a file that is given out with other bytes than are listed, the same each time, is stored as it is, small or large', async () => {
  const { tenant: running, replica, inside } = await drive('small', { source: { earlierVersions: 0 } });
  running.tenant.behaviours.rewrittenFiles = true;
  const content = running.tenant.drives.contents.store(Buffer.alloc(5 * 2 ** 20, 'large'));
  const edit = { by: inside.facts.owner, atMs: running.tenant.nowMs() };
  const large = inside.add(inside.root, { kind: 'file', name: 'large.bin', content }, edit);
  await replica.read();
  expect(replica.lost.size).toBe(0);
  const files = [...inside.all()].filter(({ kind, size }) => kind === 'file' && size > 0);
  expect(files).toContain(large);
  for (const { id, size } of files) expect(replica.bytesOf(id, 'file')?.length).toBe(size + 512);
  expect(replica.alerts.map(({ code }) => code)).toEqual(files.map(() => 'hash-differs'));
});

/** Gives out earlier versions of files with 512 bytes before them, the same at every download, as SharePoint does where it protects them. */
function rewritingVersions(): Send {
  const send = openTransport();
  const links = new Set<string>();
  return async (request) => {
    const reply = await send(request);
    const isVersion = /\/versions\/[^/]+\/content$/.test(request.url);
    const location = reply.header('location');
    if (isVersion && location !== null) links.add(location);
    if (!(isVersion && reply.status === 200) && !links.has(request.url)) return reply;
    return {
      ...reply,
      header: (name) => (/^content-(length|range)$/i.test(name) ? null : reply.header(name)),
      body: rewritten(reply.body),
    };
  };
}

async function* rewritten(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(512, 'protected');
  yield* body;
}

test('an earlier version that is given out with other bytes than are listed, the same each time, is stored as it is', async () => {
  const graph = { send: rewritingVersions() };
  const { replica, inside } = await drive('rare', { source: { earlierVersions: 1 }, graph });
  removeLargeFile(inside);
  await replica.read();
  const files = [...inside.all()].filter(({ kind, versions }) => kind === 'file' && versions.length > 1);
  expect([files.length > 0, replica.lost.size]).toEqual([true, 0]);
  for (const { id, versions } of files) {
    const stored = [...(replica.items.get(id)?.bytes ?? [])].find(([name]) => name.startsWith('versions/'));
    expect(stored?.[1].length).toBe((versions[1]?.content.size ?? 0) + 512);
  }
  expect(replica.alerts.filter(({ code }) => code === 'hash-differs')).toHaveLength(files.length);
});

test('a corrupt file is lost and the others are read; a vanished one is neither there nor lost', async () => {
  const { tenant: running, replica, inside } = await drive('small', { source: { earlierVersions: 3 } });
  const [corrupt, vanished] = [...inside.all()].filter(({ kind, size }) => kind === 'file' && size > 0);
  running.setFaults([
    { kind: 'corrupt', path: `/drives/*/items/${corrupt?.id}/versions` },
    { kind: 'vanished', path: `/drives/*/items/${vanished?.id}*` },
  ]);
  await replica.read();
  expect([...replica.lost.keys()]).toEqual([corrupt?.id]);
  expect(replica.items.has(vanished?.id ?? '')).toBe(false);
  expect(replica.items.size).toBe([...inside.all()].length - 2);
  running.setFaults([]);
  await replica.read();
  expect(replica.lost.size).toBe(0);
  expect(replica.bytesOf(corrupt?.id ?? '', 'file')?.length).toBe(corrupt?.size);
});

test('a drive that is throttled by resource units is read whole, after the waits that it asks for', async () => {
  const clock = new JumpingClock();
  const settings = { tenant: { now: () => new Date(clock.now()) }, graph: { clock }, source: { earlierVersions: 2 } };
  const {
    tenant: running,
    tenant: { tenant: state },
    replica,
    inside,
  } = await drive('small', settings);
  state.drives.budget.limit({ perMinute: 30, perDay: 100_000 });
  await replica.read();
  expect(replica.lost.size).toBe(0);
  expect(replica.items.size).toBe([...inside.all()].length);
  expect(clock.sleeps.length).toBeGreaterThan(0);
  expect(running.requests().byStatus[429] ?? 0).toBeLessThan(20);
});
