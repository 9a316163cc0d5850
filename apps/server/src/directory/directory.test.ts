import { listReportingCompanies, listServiceProviders } from '@keepwatch/contract/directory/companies';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { buildCompany } from '../testing/builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let reader: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.as('read-only');
});
afterAll(() => portal.stop());

describe('GET reporting/companies', () => {
  it('200: lists by name, page by page, and says which page it is', async () => {
    for (const name of ['page b', 'Page A', 'page c']) await buildCompany(portal.database, { name });
    const first = await reader.call(listReportingCompanies, { query: { search: 'PAGE', limit: 2 } });
    const rest = await reader.call(listReportingCompanies, { query: { search: 'PAGE', limit: 2, offset: 2 } });
    expect([...first.data, ...rest.data].map((company) => company.name)).toEqual(['Page A', 'page b', 'page c']);
    expect(rest).toMatchObject({ count: 3, query: { limit: 2, offset: 2 } });
    const down = await reader.call(listReportingCompanies, { query: { search: 'page', sort: '-name', limit: 1 } });
    expect(down.data[0]?.name).toBe('page c');
  });

  it('200: looks a company up by its id in a vendor console, exactly', async () => {
    const id = await buildCompany(portal.database, { name: 'Looked up', vacId: 'vac-77' });
    await buildCompany(portal.database, { name: 'Another', vacId: 'vac-770' });
    const { data } = await reader.call(listReportingCompanies, { query: { vacId: 'vac-77' } });
    expect(data).toEqual([{ _id: id, name: 'Looked up', vacId: 'vac-77', vcdId: null, zertoId: null }]);
    expect(await reader.call(listReportingCompanies, { query: { zertoId: 'vac-77' } })).toMatchObject({ count: 0 });
  });

  it('200: gives the people limited to a company when asked, none otherwise, never a password', async () => {
    const id = await buildCompany(portal.database, { name: 'With people' });
    const person = await portal.as('read-only', { companyIds: [id] });
    await portal.as('read-only', { companyIds: [await buildCompany(portal.database)] });
    const admin = await portal.as('admin');
    const response = await admin.send(listReportingCompanies, { query: { ids: id, users: true } });
    const text = await response.text();
    expect(JSON.parse(text).data[0].users).toEqual([
      { _id: person.userId, name: person.username, email: `${person.username}@example.test` },
    ]);
    expect(text).not.toContain('argon2');
    const bare = await admin.call(listReportingCompanies, { query: { ids: id } });
    expect(bare.data[0]).not.toHaveProperty('users');
  });

  it('200: gives no people whom the list of users would not give, and none to who may not list users', async () => {
    const [own, other] = [await buildCompany(portal.database), await buildCompany(portal.database)];
    await portal.as('operator', { companyIds: [own, other] });
    const limited = await portal.as('admin', { companyIds: [own] });
    const { data } = await limited.call(listReportingCompanies, { query: { users: true } });
    expect(data.map(({ users }) => users?.map(({ _id }) => _id))).toEqual([[limited.userId]]);
    const limitedReader = await portal.as('read-only', { companyIds: [own] });
    const bare = await limitedReader.call(listReportingCompanies, { query: { users: true } });
    expect(bare.data).toHaveLength(1);
    expect(bare.data[0]).not.toHaveProperty('users');
  });

  it('200: ids out of reach give an empty list, not an error', async () => {
    const foreign = await buildCompany(portal.database, { providerId: 2 });
    expect(await reader.call(listReportingCompanies, { query: { ids: foreign } })).toMatchObject({
      count: 0,
      data: [],
    });
  });

  it('422: refuses a sort that is none', async () => {
    expect((await reader.raw('GET', '/api/reporting/companies?sort=email')).status).toBe(422);
  });
});

describe('GET reporting/service-providers', () => {
  it('200: gives the provider first, then its sub-providers, with the companies the caller reaches', async () => {
    const all = await portal.as('read-only', { providerId: 2 });
    const before = (await all.call(listServiceProviders, {})).data[0]?.companies ?? 0;
    const [north, south] = [newId(), newId()];
    await execute(
      portal.database,
      sql`insert into sub_providers (provider_id, id, name) values (2, ${south}, 'South'), (2, ${north}, 'north')`,
    );
    const company = await buildCompany(portal.database, { providerId: 2 });
    await buildCompany(portal.database, { providerId: 2 });
    await execute(portal.database, sql`update companies set sub_provider_id = ${south} where id = ${company}`);
    expect(await all.call(listServiceProviders, {})).toMatchObject({
      count: 3,
      data: [
        { _id: '2', name: 'Provider 2', companies: before + 2 },
        { _id: north, name: 'north', companies: 0 },
        { _id: south, name: 'South', companies: 1 },
      ],
    });
    const limited = await portal.as('read-only', { providerId: 2, companyIds: [company] });
    expect((await limited.call(listServiceProviders, {})).data).toEqual([
      { _id: '2', name: 'Provider 2', companies: 1 },
      { _id: south, name: 'South', companies: 1 },
    ]);
    expect(await all.call(listServiceProviders, { query: { search: 'SOU' } })).toMatchObject({ count: 1 });
    const elsewhere = await reader.call(listServiceProviders, {});
    expect(elsewhere.data.map((provider) => provider.name)).toEqual(['Provider 1']);
  });

  it('422: refuses a limit of nothing', async () => {
    expect((await reader.send(listServiceProviders, { query: { limit: 0 } })).status).toBe(422);
  });
});
