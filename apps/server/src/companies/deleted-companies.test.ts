import { deleteCompany, listDeletedCompanies, restoreCompany } from '@keepwatch/contract/companies/companies';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { buildCompany } from '../testing/builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let admin: Caller;
beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('admin');
});
afterAll(() => portal.stop());

async function deleted(name: string, reason: string): Promise<string> {
  const id = await buildCompany(portal.database, { name });
  await admin.call(deleteCompany, { params: { id }, body: { reason } });
  return id;
}

describe('GET companies/deleted', () => {
  it('200: lists who deleted what, when and why, the last first, until it is restored', async () => {
    const harbour = await deleted('Harbour Freight', 'The contract has ended.');
    portal.clock.now = new Date(TEST_NOW.getTime() + 60_000);
    const bakery = await deleted('Bakery', 'Merged');
    await buildCompany(portal.database, { name: 'Still there' });
    const { data, count } = await admin.call(listDeletedCompanies, {});
    expect(data).toEqual([
      {
        _id: bakery,
        name: 'Bakery',
        deletedAt: portal.clock.now.toISOString(),
        deletedBy: admin.username,
        reason: 'Merged',
      },
      expect.objectContaining({ _id: harbour, reason: 'The contract has ended.', deletedAt: TEST_NOW.toISOString() }),
    ]);
    expect(count).toBe(2);
    expect((await admin.call(listDeletedCompanies, { query: { search: 'harb', sort: 'name' } })).data).toHaveLength(1);
    await admin.call(restoreCompany, { params: { id: harbour } });
    expect((await admin.call(listDeletedCompanies, {})).data.map(({ _id }) => _id)).toEqual([bakery]);
  });

  it('200: knows neither who nor why of what was deleted before that was recorded', async () => {
    const id = await buildCompany(portal.database, { name: 'Long gone' });
    await execute(portal.database, sql`update companies set deleted_at = now() where id = ${id}`);
    const { data } = await admin.call(listDeletedCompanies, { query: { search: 'long' } });
    expect(data).toMatchObject([{ name: 'Long gone', deletedBy: null, reason: null }]);
  });

  it('403: for who is limited to companies or does not administer them', async () => {
    const limited = await portal.as('admin', { companyIds: [await buildCompany(portal.database)] });
    const readOnly = await portal.as('read-only');
    for (const caller of [limited, readOnly]) expect((await caller.send(listDeletedCompanies, {})).status).toBe(403);
    const foreign = await portal.as('admin', { providerId: 2 });
    expect((await foreign.call(listDeletedCompanies, {})).count).toBe(0);
  });
});
