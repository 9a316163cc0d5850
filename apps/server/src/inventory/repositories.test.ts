import {
  getRepositoriesTrend,
  getRepositoryHistory,
  listRepositories,
} from '@keepwatch/contract/inventory/repositories';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { buildCompany } from '../testing/builders.ts';
import { buildRepository, buildRepositoryDay, dayAgo, daysAgo, lastDays } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let reader: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.as('read-only');
});
afterAll(() => portal.stop());

const company = (name = 'Stores') => buildCompany(portal.database, { name });

/** Inserts a repository with its fill levels on the days before today, oldest first. */
async function buildFilling(
  companyId: string,
  name: string,
  used: readonly number[],
  capacityBytes: number | null = 1_000,
) {
  const last = used.at(-1) ?? 0;
  const repository = await buildRepository(portal.database, { companyId, name, capacityBytes, usedBytes: last });
  for (const [index, usedBytes] of used.entries())
    await buildRepositoryDay(portal.database, repository, dayAgo(used.length - 1 - index), {
      capacityBytes,
      usedBytes,
    });
  return repository;
}

describe('GET monitoring/reporting/repositories', () => {
  it('200: forecasts how fast a repository fills and when it will be full', async () => {
    const companyIds = await company();
    await buildFilling(companyIds, 'filling', [500, 510, 520, 530]);
    const { data, count } = await reader.call(listRepositories, { query: { companyIds } });
    expect(count).toBe(1);
    expect(data[0]).toMatchObject({
      companyName: 'Stores',
      usedRatio: 0.53,
      growthBytesPerDay: 10,
      fullAt: daysAgo(-47).toISOString(),
      readAt: TEST_NOW.toISOString(),
    });
  });

  it('200: fits the line through all days, so that one unusual day hardly changes it', async () => {
    const companyIds = await company();
    await buildFilling(companyIds, 'odd', [100, 110, 90, 130, 140, 150]);
    const { data } = await reader.call(listRepositories, { query: { companyIds } });
    // Least squares, calculated manually: the slope of the values over (0..5) is 195 / 17.5.
    expect(data[0]?.growthBytesPerDay).toBe(Math.round(195 / 17.5));
  });

  it('200: makes no forecast without growth, capacity limit or history, or for the far future', async () => {
    const companyIds = await company();
    await buildFilling(companyIds, 'a shrinking', [530, 520, 510]);
    await buildFilling(companyIds, 'b endless', [10, 20, 30], null);
    await buildFilling(companyIds, 'c young', [10, 20]);
    await buildFilling(companyIds, 'd slow', [10, 11, 12]);
    await buildFilling(companyIds, 'e full', [1_000, 1_000, 1_000]);
    const { data } = await reader.call(listRepositories, { query: { companyIds, sort: 'name' } });
    expect(
      data.map(({ name, growthBytesPerDay, fullAt, usedRatio }) => [name, growthBytesPerDay, fullAt, usedRatio]),
    ).toEqual([
      ['a shrinking', -10, null, 0.51],
      ['b endless', 10, null, null],
      ['c young', null, null, 0.02],
      ['d slow', 1, null, 0.012],
      ['e full', 0, TEST_NOW.toISOString(), 1],
    ]);
  });

  it('200: lists the fullest first, the next one to be full first, or as requested', async () => {
    const companyIds = await company();
    await buildFilling(companyIds, 'full but still', [900, 900, 900]);
    await buildFilling(companyIds, 'half and fast', [300, 400, 500]);
    await buildFilling(companyIds, 'endless', [1, 2, 3], null);
    const order = async (sort?: 'fullAt' | '-name', limit = 10, offset = 0) =>
      (await reader.call(listRepositories, { query: { companyIds, sort, limit, offset } })).data.map(
        ({ name }) => name,
      );
    expect(await order()).toEqual(['full but still', 'half and fast', 'endless']);
    expect(await order('fullAt', 1)).toEqual(['half and fast']);
    expect(await order('-name')).toEqual(['half and fast', 'full but still', 'endless']);
    expect(await order('-name', 1, 1)).toEqual(['full but still']);
  });

  it('200: finds by name, server and company, without removed repositories', async () => {
    const companyIds = await company('Findable');
    await buildRepository(portal.database, { companyId: companyIds, name: 'NAS_1' });
    const removed = await buildRepository(portal.database, { companyId: companyIds, name: 'NAS 2' });
    await execute(portal.database, sql`update repositories set removed_at = now() where id = ${removed.id}`);
    const count = async (search: string) =>
      (await reader.call(listRepositories, { query: { companyIds, search } })).count;
    expect([await count('findable'), await count('nas_'), await count('nas 2'), await count('%')]).toEqual([
      1, 1, 0, 0,
    ]);
  });

  it('422: refuses an unknown sort', async () => {
    expect((await reader.raw('GET', '/api/monitoring/reporting/repositories?sort=path')).status).toBe(422);
  });
});

describe('GET monitoring/reporting/repositories/trend', () => {
  it('200: sums repositories with a capacity by day', async () => {
    const companyIds = await company();
    await buildFilling(companyIds, 'one', [100, 200]);
    await buildFilling(companyIds, 'two', [50, 60], 500);
    await buildFilling(companyIds, 'endless', [7_000, 7_000], null);
    const { data } = await reader.call(getRepositoriesTrend, { query: { ...lastDays(5), companyIds } });
    expect(data).toEqual([
      { day: dayAgo(1), capacityBytes: 1_500, usedBytes: 150, freeBytes: 1_350 },
      { day: dayAgo(0), capacityBytes: 1_500, usedBytes: 260, freeBytes: 1_240 },
    ]);
  });

  it('422: refuses a range without an end', async () => {
    const response = await reader.raw('GET', '/api/monitoring/reporting/repositories/trend?from=2026-01-01T00:00:00Z');
    expect(response.status).toBe(422);
  });
});

describe('GET monitoring/reporting/repositories/history', () => {
  it('200: returns one repository by day', async () => {
    const repository = await buildFilling(await company(), 'one', [100, 200, 300]);
    const { data } = await reader.call(getRepositoryHistory, {
      query: { ...lastDays(1), repositoryId: repository.id },
    });
    expect(data).toEqual([
      { day: dayAgo(1), capacityBytes: 1_000, usedBytes: 200, freeBytes: 800 },
      { day: dayAgo(0), capacityBytes: 1_000, usedBytes: 300, freeBytes: 700 },
    ]);
  });

  it('404: refuses a repository outside the scope like an unknown one', async () => {
    const foreign = await buildRepository(portal.database, { providerId: 2 });
    const shared = await buildRepository(portal.database, { companyId: null });
    const limited = await portal.as('read-only', { companyIds: [await company()] });
    for (const [caller, repositoryId] of [
      [reader, foreign.id],
      [limited, shared.id],
    ] as const) {
      const response = await caller.send(getRepositoryHistory, { query: { ...lastDays(1), repositoryId } });
      expect(response.status).toBe(404);
    }
  });

  it('422: refuses an invalid id', async () => {
    const query = { ...lastDays(1), repositoryId: 'x' };
    expect((await reader.send(getRepositoryHistory, { query })).status).toBe(422);
  });
});
