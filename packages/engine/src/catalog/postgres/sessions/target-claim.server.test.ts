import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts';
import type { Catalog, RepositoryCatalog } from '../../catalog.ts';
import { openCatalog } from '../open-catalog.ts';
import { openPool } from './connection.ts';

let database: TestDatabase;
let catalog: Catalog;
let repository: RepositoryCatalog;
beforeAll(async () => {
  database = await createTestDatabase();
  catalog = await openCatalog(database.url);
  repository = await catalog.repository('one');
});
afterAll(async () => {
  await catalog.close();
  await database.drop();
});

test('a second restore into a target is refused with the program and machine of the first', async () => {
  for (const target of ['drive/contoso/1', 'drive/contoso/2', 'drive/contoso/3']) {
    const claim = await repository.claimTarget(target, 'the drive of Ada');
    await expect(repository.claimTarget(target, 'the drive of Ada')).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining(`Another restore (keepwatch-engine, process ${process.pid} on `),
    });
    claim.end();
  }
});

test('a claim whose session is ended says so, and the next restore may have it', async () => {
  const claim = await repository.claimTarget('drive/contoso/1', 'the drive of Ada');
  const lost = new Promise((resolve) => claim.lost.addEventListener('abort', () => resolve(claim.lost.reason)));
  const pool = openPool({ connectionString: database.url });
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  await pool.end();
  expect(await lost).toMatchObject({
    code: 'locked',
    isRetryable: true,
    message: expect.stringContaining('the drive of Ada'),
  });
  const next = await repository.claimTarget('drive/contoso/1', 'the drive of Ada');
  next.end();
  claim.end();
});
