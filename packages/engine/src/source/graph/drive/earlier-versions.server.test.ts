import { afterEach, expect, test } from 'vitest';
import { generatedContent } from '../../../../../sandbox/src/microsoft365/drives/content/generated-content.ts';
import type { RunningTenant } from '../../../../../sandbox/src/microsoft365/server.ts';
import { insideOf, rareDriveOf, removeLargeFile } from '../../../testing/graph/graph-drive.ts';
import { startConnected } from '../../../testing/graph/graph-tenant.ts';
import { Replica } from '../../../testing/replica.ts';
import { openGraphSource } from '../graph-source.ts';

let tenant: RunningTenant | undefined;
afterEach(() => tenant?.stop());

test.each([
  [undefined, Number.POSITIVE_INFINITY],
  [3, 3],
])(
  'with the limit %s stores that many earlier versions of a file, without one all of them, and says how many it left out',
  async (limit, most) => {
    const started = await startConnected({ budgets: false });
    tenant = started.tenant;
    const source = openGraphSource(started.connection, limit === undefined ? {} : { earlierVersions: limit });
    const object = await rareDriveOf(source, started.tenant);
    const inside = insideOf(started.tenant, object);
    removeLargeFile(inside);
    const replica = new Replica(source, object);
    await replica.read();
    const busy = [...inside.all()].find(({ name }) => name === 'Budget.xlsx');
    const earlier = (busy?.versions.length ?? 0) - 1;
    expect(earlier).toBeGreaterThan(10);
    const names = [...(replica.items.get(busy?.id ?? '')?.bytes.keys() ?? [])];
    expect(names.filter((name) => name.startsWith('versions/'))).toHaveLength(Math.min(earlier, most));
    const beyond = [...inside.all()].map(({ versions }) => versions.length - 1 - most).filter((count) => count > 0);
    const sum = beyond.reduce((all, count) => all + count, 0);
    expect(replica.alerts.map(({ message }) => message)).toEqual(
      sum === 0
        ? []
        : [expect.stringMatching(`Of ${beyond.length} files? of .*, ${sum} earlier versions or more were left out`)],
    );
  },
);

/** A drive of which one file has many versions, and readers of it with other options. */
async function busyDrive() {
  const started = await startConnected({ budgets: false });
  tenant = started.tenant;
  const object = await rareDriveOf(openGraphSource(started.connection), started.tenant);
  const inside = insideOf(started.tenant, object);
  removeLargeFile(inside);
  const busy = [...inside.all()].find(({ name }) => name === 'Budget.xlsx');
  if (busy === undefined) throw new Error('The drive has no file with many versions.');
  const stored: Pick<Replica, 'items' | 'cursors' | 'lost'> = {
    items: new Map(),
    cursors: new Map(),
    lost: new Map(),
  };
  /** Reads on as a job with a limit, `undefined` for none; what is stored is shared. @returns the versions of the file, and whether all was listed */
  const read = async (job: string, earlierVersions?: number, eventsMax?: number) => {
    const options = earlierVersions === undefined ? {} : { earlierVersions };
    const replica = Object.assign(new Replica(openGraphSource(started.connection, options), object), stored, { job });
    await replica.read(eventsMax);
    const { items, cursors, lost } = replica;
    Object.assign(stored, { items, cursors, lost });
    const names = [...(items.get(busy.id)?.bytes.keys() ?? [])];
    return {
      versions: names.filter((name) => name.startsWith('versions/')).length,
      isWhole: replica.events.some(({ type }) => type === 'scan-begin'),
    };
  };
  return { ...started, inside, busy, read };
}

const edit = { by: { user: { id: 'u', displayName: 'Ada' } }, atMs: Date.parse('2026-11-01T00:00:00Z') };

test('what a job with a limit left out another job without one reads, once, and the first leaves nothing out from then on', async () => {
  const { tenant: running, inside, busy, read } = await busyDrive();
  const earlier = busy.versions.length - 1;
  expect(await read('few', 2)).toMatchObject({ versions: 2, isWhole: true });
  running.resetRequests();
  expect(await read('all')).toMatchObject({ versions: earlier, isWhole: true });
  // The bytes of the versions that were left out alone, and of no file that is stored.
  const left = [...inside.all()].reduce((sum, { versions }) => sum + Math.max(0, versions.length - 3), 0);
  expect(running.requests().byOperation['GET /{tenant}/_layouts/15/download.aspx']).toBe(left);
  inside.write(busy, generatedContent(7, 100), edit);
  expect(await read('few', 2)).toMatchObject({ versions: earlier + 1, isWhole: false });
  expect(await read('all')).toMatchObject({ versions: earlier + 1, isWhole: false });
});

test('a job whose limit is raised reads what it left out, also where its first reading of that breaks off', async () => {
  const { busy, read } = await busyDrive();
  expect(await read('job', 0)).toMatchObject({ versions: 0 });
  await read('job', 3, 4);
  expect(await read('job', 3)).toMatchObject({ versions: 3, isWhole: true });
  expect(await read('job', 3)).toMatchObject({ versions: 3, isWhole: false });
  expect(await read('job')).toMatchObject({ versions: busy.versions.length - 1, isWhole: true });
});

test('a job that has not run for 30 days asks for no versions any more', async () => {
  const { tenant: running, connection, inside, busy, read } = await busyDrive();
  await read('few', 2);
  await read('all');
  running.advance(31 * 86_400_000);
  await connection.ask({ path: '/users?$top=1&$select=id' });
  inside.write(busy, generatedContent(7, 100), edit);
  expect(await read('few', 2)).toMatchObject({ versions: 2 });
});
