import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { buildOwnOrganization } from '../../testing/microsoft365-builders.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { seedProviders } from '../../testing/test-portal.ts';
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
