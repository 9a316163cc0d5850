import { search } from '@keepwatch/contract/search/search';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../foundation/database.ts';
import { Scope } from '../foundation/scope.ts';
import { buildCompany, buildJob } from '../testing/builders.ts';
import { buildM365Job, buildOrganization } from '../testing/microsoft365-builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';
import { JOBS_BY_INDEX, jobsByWordsQuery } from './job-names.ts';

let portal: TestPortal;
let north: string;
let staff: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  const { database } = portal;
  north = await buildCompany(database, { name: 'Northwind Traders' });
  const south = await buildCompany(database, { name: 'Südwind Reisen' });
  await buildJob(database, { companyId: north, name: 'Backup_SQL-PRN01 (nightly)' });
  await buildJob(database, { companyId: south, name: 'Nightly files' });
  const organization = await buildOrganization(database, { companyId: north, name: 'northwind.onmicrosoft.com' });
  await buildM365Job(database, { providerId: 1, id: organization, companyId: north }, { name: 'North mailboxes' });
  const foreign = await buildCompany(database, { providerId: 2, name: 'Northwind of another provider' });
  await buildJob(database, { providerId: 2, companyId: foreign, name: 'Nightly foreign' });
  staff = await portal.as(['admin', 'operator', 'o365_admin']);
});
afterAll(() => portal.stop());

const find = async (caller: Caller, text: string) => {
  const { data } = await caller.call(search, { query: { text } });
  return data.map(({ kind, name }) => `${kind}: ${name}`);
};

describe('search', () => {
  it('finds companies, organizations and jobs of Microsoft 365 by any part of their name', async () => {
    expect(await find(staff, 'orth')).toEqual([
      'company: Northwind Traders',
      'organization: northwind.onmicrosoft.com',
      'm365-job: North mailboxes',
    ]);
    expect(await find(staff, 'SÜD')).toEqual(['company: Südwind Reisen']);
  });

  it('finds jobs by beginnings of words, in any order and with any signs between them', async () => {
    expect(await find(staff, 'prn01 sql')).toEqual(['job: Backup_SQL-PRN01 (nightly)']);
    expect(await find(staff, 'SQL-PRN')).toEqual(['job: Backup_SQL-PRN01 (nightly)']);
    expect(await find(staff, 'nightly')).toEqual(['job: Nightly files', 'job: Backup_SQL-PRN01 (nightly)']);
    expect(await find(staff, "files:* & ! (' nightly")).toEqual(['job: Nightly files']);
    expect(await find(staff, '!')).toEqual([]);
  });

  it('finds users by name, user name and address, and says the user name', async () => {
    const { data } = await staff.call(search, { query: { text: staff.username } });
    expect(data).toContainEqual({
      kind: 'user',
      _id: staff.userId,
      name: staff.username,
      companyName: null,
      detail: staff.username,
    });
  });

  it('finds what the roles may open, and nothing else', async () => {
    expect(await find(await portal.as('read-only'), 'n')).toEqual([
      'company: Northwind Traders',
      'company: Südwind Reisen',
      'job: Nightly files',
      'job: Backup_SQL-PRN01 (nightly)',
    ]);
    expect(await find(await portal.as('admin'), 'nightly')).toEqual([]);
    expect((await (await portal.as('restore-operator')).send(search, { query: { text: 'n' } })).status).toBe(403);
  });

  it('finds within the companies of the user alone', async () => {
    const limited = await portal.as(['operator', 'o365_admin'], { companyIds: [north] });
    expect(await find(limited, 'nightly')).toEqual(['job: Backup_SQL-PRN01 (nightly)']);
    expect(await find(limited, 'wind')).toEqual([
      'company: Northwind Traders',
      'organization: northwind.onmicrosoft.com',
    ]);
  });

  it('finds jobs beyond the first by their index of words alone', async () => {
    const client = await portal.database.connect();
    const named = { scope: new Scope(1, null), text: 'sql', limit: 6 };
    try {
      await client.query(`BEGIN; ${JOBS_BY_INDEX}`);
      const query = jobsByWordsQuery(named, ['sql', 'prn']);
      expect(await rows(client, query)).toMatchObject([{ name: 'Backup_SQL-PRN01 (nightly)', kind: 'job' }]);
      expect(await rows(client, jobsByWordsQuery(named, ['foreign']))).toEqual([]);
      expect(JSON.stringify(await rows(client, sql`explain ${query}`))).toContain('Bitmap Index Scan on jobs_words');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});
