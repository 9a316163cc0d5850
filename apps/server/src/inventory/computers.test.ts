import {
  getComputersStatus,
  ignoreComputer,
  listComputers,
  listUnprotectedCompanies,
  noteComputer,
  unignoreComputer,
} from '@keepwatch/contract/inventory/computers';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../foundation/database.ts';
import { buildCompany } from '../testing/builders.ts';
import { buildComputer } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

const MISSING = '00000000-0000-4000-8000-000000000000';
let portal: TestPortal;
let operator: Caller;
let companyId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  operator = await portal.as('operator');
});
beforeEach(async () => {
  companyId = await buildCompany(portal.database, { name: 'Desks' });
});
afterAll(() => portal.stop());

const build = (given: Parameters<typeof buildComputer>[1] = {}) =>
  buildComputer(portal.database, { companyId, ...given });
const list = async (filter: { search?: string; unprotected?: boolean; ignored?: boolean } = {}) =>
  (await operator.call(listComputers, { query: { filter: { companyIds: companyId, ...filter } } })).data;

describe('GET monitoring/reporting/discovery/computers', () => {
  it('200: lists discovered computers by name, without ignored or removed ones', async () => {
    await build({ hostName: 'srv-b', note: '<b>"old"</b>' });
    await build({ hostName: 'SRV-A', hasAgent: false });
    await build({ hostName: 'ignored', ignoredAt: TEST_NOW });
    const gone = await build({ hostName: 'gone' });
    await execute(portal.database, sql`update computers set removed_at = now() where id = ${gone}`);

    const names = (computers: { hostName: string }[]) => computers.map(({ hostName }) => hostName);
    const shown = await list();
    expect(names(shown)).toEqual(['SRV-A', 'srv-b']);
    expect(shown[1]).toMatchObject({ companyName: 'Desks', note: '<b>"old"</b>', isIgnored: false, ipAddresses: [] });
    expect(names(await list({ ignored: true }))).toEqual(['ignored', 'SRV-A', 'srv-b']);
    expect(names(await list({ unprotected: true }))).toEqual(['SRV-A']);
    expect(names(await list({ search: 'B.LOCAL' }))).toEqual(['srv-b']);
    expect(names(await list({ search: '_' }))).toEqual([]);
  });

  it('422: refuses a negative offset', async () => {
    expect((await operator.send(listComputers, { query: { offset: -1 } })).status).toBe(422);
  });
});

describe('GET monitoring/reporting/discovery/computers/by-company', () => {
  it('200: counts as many computers of each company as its list has, those with the most without agent first', async () => {
    const shops = await buildCompany(portal.database, { name: 'Shops' });
    const fine = await buildCompany(portal.database, { name: 'All protected' });
    for (const hasAgent of [true, false]) await build({ hasAgent });
    for (const hasAgent of [false, false, true]) await build({ hasAgent, companyId: shops });
    await build({ hasAgent: false, companyId: shops, ignoredAt: TEST_NOW });
    await build({ hasAgent: true, companyId: fine });
    const companyIds = [companyId, shops, fine];
    const page = await operator.call(listUnprotectedCompanies, { query: { companyIds, limit: 1 } });
    const next = await operator.call(listUnprotectedCompanies, { query: { companyIds, offset: 1 } });
    expect([page.count, next.count]).toEqual([2, 2]);
    expect([...page.data, ...next.data]).toEqual([
      { companyId: shops, companyName: 'Shops', withoutAgent: 2, total: 3 },
      { companyId, companyName: 'Desks', withoutAgent: 1, total: 2 },
    ]);
    for (const row of [...page.data, ...next.data]) {
      const filter = { companyIds: row.companyId ?? '', unprotected: true };
      expect((await operator.call(listComputers, { query: { filter } })).count).toBe(row.withoutAgent);
    }
  });

  it('200: has a row of computers that belong to no company, which leads to them', async () => {
    await build({ companyId: null, hasAgent: false, hostName: 'nobodys' });
    const { data } = await operator.call(listUnprotectedCompanies, { query: { limit: 100 } });
    const row = data.find((company) => company.companyId === null);
    const filter = { withoutCompany: true, unprotected: true };
    const { count, data: computers } = await operator.call(listComputers, { query: { filter } });
    expect(row).toMatchObject({ companyName: null, withoutAgent: count });
    expect(computers.map(({ hostName }) => hostName)).toContain('nobodys');
  });

  it('200: shows users of one company no other', async () => {
    await build({ hasAgent: false });
    await build({ hasAgent: false, companyId: await buildCompany(portal.database, { name: 'Hidden' }) });
    const limited = await portal.as('operator', { companyIds: [companyId] });
    const { data } = await limited.call(listUnprotectedCompanies, {});
    expect(data.map(({ companyName }) => companyName)).toEqual(['Desks']);
  });
});

describe('GET monitoring/reporting/discovery/computers/current', () => {
  it('200: counts ignored computers separately', async () => {
    await build({ hasAgent: true, status: 'Online' });
    await build({ hasAgent: true, status: 'Offline' });
    await build({ hasAgent: false, status: 'Error' });
    await build({ hasAgent: false, status: 'Offline', ignoredAt: TEST_NOW });
    const { data } = await operator.call(getComputersStatus, { query: { companyIds: companyId } });
    expect(data).toEqual({ total: 3, withAgent: 2, withoutAgent: 1, offline: 1, ignored: 1 });
  });

  it('200: counts nothing for a company of another provider', async () => {
    const foreign = await buildCompany(portal.database, { providerId: 2 });
    await buildComputer(portal.database, { providerId: 2, companyId: foreign });
    const { data } = await operator.call(getComputersStatus, { query: { companyIds: foreign } });
    expect(data.total).toBe(0);
  });

  it('422: refuses an unknown query parameter', async () => {
    expect((await operator.raw('GET', '/api/monitoring/reporting/discovery/computers/current?ids=1')).status).toBe(422);
  });
});

describe('POST and DELETE monitoring/backoffice/computers/{id}/…', () => {
  it('200: ignores and unignores a computer', async () => {
    const id = await build();
    await operator.call(ignoreComputer, { params: { id } });
    expect(await list()).toEqual([]);
    expect(await list({ ignored: true })).toMatchObject([{ _id: id, isIgnored: true }]);
    await operator.call(unignoreComputer, { params: { id } });
    expect(await list()).toMatchObject([{ _id: id, isIgnored: false }]);
  });

  it('200: stores a note as typed, and removes it when empty', async () => {
    const id = await build();
    const note = `<script>x</script>\n'; drop table computers; --`;
    await operator.call(noteComputer, { params: { id }, body: { note } });
    expect(await list()).toMatchObject([{ note }]);
    await operator.call(noteComputer, { params: { id }, body: { note: '' } });
    expect(await list()).toMatchObject([{ note: null }]);
    const entries = await rows(
      portal.database,
      sql`select action, before, after from audit_entries where target_id = ${id} order by at, after->>'note' nulls last`,
    );
    expect(entries).toEqual([
      { action: 'computer.note', before: { isIgnored: false, note: null }, after: { note } },
      { action: 'computer.note', before: { isIgnored: false, note }, after: { note: null } },
    ]);
  });

  it('404: refuses to change a computer of another provider', async () => {
    const foreign = await buildComputer(portal.database, { providerId: 2, note: 'theirs' });
    for (const id of [foreign, MISSING]) {
      const params = { id };
      expect((await operator.send(ignoreComputer, { params })).status).toBe(404);
      expect((await operator.send(unignoreComputer, { params })).status).toBe(404);
      expect((await operator.send(noteComputer, { params, body: { note: 'mine' } })).status).toBe(404);
    }
    const stored = await rows(portal.database, sql`select note, ignored_at from computers where id = ${foreign}`);
    expect(stored).toEqual([{ note: 'theirs', ignored_at: null }]);
  });

  it('422: refuses an invalid or too long note', async () => {
    const id = await build();
    for (const body of ['{}', '{"note":1}', JSON.stringify({ note: 'x'.repeat(10_001) })])
      expect((await operator.raw('POST', `/api/monitoring/backoffice/computers/${id}/note`, { body })).status).toBe(
        422,
      );
  });
});
