import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, rows } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { insert } from '../../foundation/table-writes.ts';
import { buildOwnOrganization } from '../../testing/microsoft365-builders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { seedProviders } from '../../testing/test-portal.ts';
import { restoreOperationItems, restoreOperations, restoreSessions } from '../tables.ts';
import { tidy } from '../tidy.ts';

const DAY_MS = 24 * 3_600_000;

let database: TestDatabase;
let downloadsFolder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  await seedProviders(database.pool);
  downloadsFolder = join(await mkdtemp(join(tmpdir(), 'keepwatch-files-')), 'downloads');
});
afterAll(async () => {
  await database.drop();
  await rm(join(downloadsFolder, '..'), { recursive: true, force: true });
});

async function file(name: string, ageMs: number): Promise<string> {
  await mkdir(downloadsFolder, { recursive: true });
  await writeFile(join(downloadsFolder, name), 'mail of a customer');
  const at = new Date(Date.now() - ageMs);
  await utimes(join(downloadsFolder, name), at, at);
  return name;
}

async function download(state: string): Promise<string> {
  const id = newId();
  const organization = await buildOwnOrganization(database.pool);
  await execute(
    database.pool,
    sql`insert into restore_downloads (provider_id, id, company_id, organization_id, organization_name, user_id, username, file_name, format, download_order, state, created_at, expires_at)
        select 1, ${id}, o.company_id, o.id, o.name, ${newId()}, 'ada', 'Mail.pst', 'pst', '{}', ${state}, now(), now() + interval '5 days'
        from m365_organizations o where o.id = ${organization.id}`,
  );
  return id;
}

const run = () =>
  tidy({ database: database.pool, downloadsFolder, now: () => new Date() }, new AbortController().signal);

it('does nothing where nothing was downloaded yet', async () => {
  await expect(run()).resolves.toBeUndefined();
});

it('removes what killed processes and removed organizations left, and nothing that is used', async () => {
  const [finished, removed] = [await download('finished'), await download('finished')];
  const [making, broken] = [await download('running'), await download('running')];
  const used = [
    await file(`${finished}.pst`, 6 * DAY_MS),
    await file(`${making}-${newId()}.pst`, 3_600_000),
    await file(`at-once-${newId()}.zip`, 60_000),
  ];
  await file(`${removed}.pst`, 2 * DAY_MS);
  await file(`${broken}-${newId()}.pst`, 2 * DAY_MS);
  await file(`at-once-${newId()}.zip`, 2 * DAY_MS);
  await execute(
    database.pool,
    sql`delete from m365_organizations o using restore_downloads d where d.id = ${removed} and o.id = d.organization_id`,
  );
  await run();
  expect((await readdir(downloadsFolder)).sort()).toEqual(used.sort());
});

it('removes sessions, plans, restores and downloads that ended long ago, with their reports, and nothing that goes on', async () => {
  const { id, companyId } = await buildOwnOrganization(database.pool);
  const of = {
    providerId: 1,
    companyId,
    organizationId: id,
    organizationName: 'Contoso',
    userId: newId(),
    username: 'ada',
  };
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
  const session = (endsAt: Date) =>
    insert(database.pool, restoreSessions, {
      ...{ providerId: 1, id: newId(), companyId, organizationId: id, userId: of.userId, sessionType: 'vex' as const },
      ...{ at: endsAt, showDeleted: false, points: [], createdAt: endsAt, endsAt },
    });
  for (const days of [91, 89]) await session(ago(days));
  const restore = async (name: string, isPlan: boolean, endedAt: Date | null) => {
    const key = { providerId: 1, id: newId() };
    const state = endedAt === null ? ('Running' as const) : ('Success' as const);
    const restoreOrder = sql`'{}'::jsonb`;
    const order = { ...of, ...key, sessionId: newId(), name, target: 'There', isPlan, restoreOrder, state, endedAt };
    await insert(database.pool, restoreOperations, { ...order, createdAt: ago(500) });
    const item = { itemId: 'm', kind: 'message', name: 'M', path: '', outcome: 'failed', reason: 'Full.' };
    await insert(database.pool, restoreOperationItems, { providerId: 1, operationId: key.id, ...item });
  };
  await restore('old plan', true, ago(31));
  await restore('plan', true, ago(29));
  await restore('old', false, ago(401));
  await restore('restore', false, ago(399));
  await restore('unended', false, null);
  // Its worker is there: what has none any more is ended before that, and stays for its days.
  await run();
  const left = await rows<{ name: string; items: number }>(
    database.pool,
    sql`select p.name, (select count(*) from restore_operation_items i where i.operation_id = p.id) as items from restore_operations p order by p.name`,
  );
  expect(left).toEqual(['plan', 'restore', 'unended'].map((name) => ({ name, items: 1 })));
  expect(await rows(database.pool, sql`select from restore_sessions`)).toHaveLength(1);
  await execute(database.pool, sql`delete from restore_downloads`);
  await download('expired');
  const [there, finished] = [await download('failed'), await download('finished')];
  await execute(
    database.pool,
    sql`update restore_downloads set created_at = case when id = ${there} then ${ago(89)}::timestamptz else ${ago(91)}::timestamptz end`,
  );
  await run();
  const ids = await rows<{ id: string }>(database.pool, sql`select id from restore_downloads`);
  expect(ids.map((one) => one.id).toSorted()).toEqual([there, finished].toSorted());
});
