import { ATTENTION_MAX, getAttention } from '@keepwatch/contract/attention/attention';
import { editBackupClock } from '@keepwatch/contract/backup-days/backup-clock';
import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { wholeSpan } from '../runs/faults/merged-spans.ts';
import { refreshFaults } from '../runs/faults/refresh-faults.ts';
import { buildCompany, buildExecution, buildJob } from '../testing/builders.ts';
import { buildM365Job, buildOwnOrganization, buildSession } from '../testing/microsoft365-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(TEST_NOW.getTime() - hours * HOUR_MS);
const countsOf = async (caller: Caller) => (await caller.call(getAttention, {})).data;

describe('GET attention', () => {
  it('200: counts the pending runs that the daily checks show at first, within the reach of the user', async () => {
    const [own, other] = [await buildJob(portal.database), await buildJob(portal.database)];
    const foreign = await buildJob(portal.database, { providerId: 2 });
    for (const [job, hours] of [
      [own, 1],
      [own, 2],
      [other, 1],
      [foreign, 1],
      [own, 200],
    ] as const)
      await buildExecution(portal.database, job, { startedAt: hoursAgo(hours) });
    await buildExecution(portal.database, own, { startedAt: hoursAgo(3), state: 'resolved' });
    await buildExecution(portal.database, own, { startedAt: hoursAgo(4), result: 'Success' });
    expect(await countsOf(await portal.as('operator'))).toEqual({ checks: 3, faults: 0 });
    const limited = await portal.as('operator', { companyIds: [own.companyId ?? ''] });
    const listed = await limited.call(listJobExecutions, {
      query: { from: '2026-03-01T00:00:00.000Z', to: TEST_NOW.toISOString(), filter: { state: 'pending' } },
    });
    expect([await countsOf(limited), listed.count]).toEqual([{ checks: 2, faults: 0 }, 2]);
  });

  it('200: counts the faults that are open, however old they are', async () => {
    const [failing, healed] = [await buildJob(portal.database), await buildJob(portal.database)];
    await buildExecution(portal.database, failing, { startedAt: hoursAgo(400) });
    await buildExecution(portal.database, failing, { startedAt: hoursAgo(300) });
    await buildExecution(portal.database, healed, { startedAt: hoursAgo(9) });
    await buildExecution(portal.database, healed, { startedAt: hoursAgo(8), result: 'Success' });
    await refreshFaults(
      portal.database,
      1,
      [failing, healed].map(({ jobInstanceUid }) => wholeSpan(jobInstanceUid)),
    );
    expect(await countsOf(await portal.as('operator'))).toMatchObject({ faults: 1 });
    const limited = await portal.as('operator', { companyIds: [healed.companyId ?? ''] });
    expect(await countsOf(limited)).toMatchObject({ faults: 0 });
    await execute(portal.database, sql`delete from faults`);
  });

  it('200: counts from the beginning of yesterday by the clock of the provider', async () => {
    const foreign = await buildJob(portal.database, { providerId: 2 });
    const reader = await portal.as('operator', { providerId: 2 });
    const { checks: before } = await countsOf(reader);
    // Yesterday in Auckland, the day before in UTC.
    await buildExecution(portal.database, foreign, { startedAt: hoursAgo(40) });
    expect(await countsOf(reader)).toEqual({ checks: before, faults: 0 });
    const administrator = await portal.as('super-admin', { providerId: 2 });
    await administrator.call(editBackupClock, { body: { timeZone: 'Pacific/Auckland', beginHour: 0 } });
    expect(await countsOf(reader)).toEqual({ checks: (before ?? 0) + 1, faults: 0 });
  });

  it('200: counts runs that fit no job, and no more of them than are shown', async () => {
    const { sourceId } = await buildJob(portal.database);
    await execute(
      portal.database,
      sql`insert into unmatched_runs (provider_id, id, source_id, external_id, job_name, started_at, result)
          select 1, gen_random_uuid(), ${sourceId}, n::text, 'Nightly', ${TEST_NOW}, 'Failed' from generate_series(1, ${ATTENTION_MAX + 50}) n`,
    );
    expect(await countsOf(await portal.as('admin'))).toEqual({ unassigned: ATTENTION_MAX });
  });

  it('200: counts Microsoft 365 jobs whose last run failed, and the downloads of the user that are ready', async () => {
    const organization = await buildOwnOrganization(portal.database);
    const jobs = [
      { results: ['Failed', 'Success'], isEnabled: true },
      { results: ['Success', 'Failed'], isEnabled: true },
      { results: ['Failed'], isEnabled: false },
      { results: [], isEnabled: true },
    ] as const;
    for (const { results, isEnabled } of jobs) {
      const id = await buildM365Job(portal.database, organization, { isEnabled });
      for (const [place, result] of results.entries())
        await buildSession(portal.database, { providerId: 1, id }, { result, startedAt: hoursAgo(10 - place) });
    }
    const person = await portal.as('o365_admin');
    const colleague = await portal.as('o365_admin');
    for (const [state, days, userId] of [
      ['finished', 1, person.userId],
      ['finished', -1, person.userId],
      ['running', 1, person.userId],
      ['finished', 1, colleague.userId],
    ] as const)
      await execute(
        portal.database,
        sql`insert into restore_downloads (provider_id, id, company_id, organization_id, organization_name, user_id, username, file_name, format,
              download_order, state, created_at, expires_at)
            values (1, ${newId()}, ${organization.companyId}, ${organization.id}, 'Contoso', ${userId}, 'ada', 'Mail.pst', 'pst', '{}', ${state},
              ${TEST_NOW}, ${hoursAgo(-24 * days)})`,
      );
    expect(await countsOf(person)).toEqual({ failedJobs: 1, downloads: 1 });
    const company = await buildCompany(portal.database);
    expect(await countsOf(await portal.as('o365_admin', { companyIds: [company] }))).toEqual({
      failedJobs: 0,
      downloads: 0,
    });
  });

  it('200: says nothing of what the user may not see', async () => {
    const person = await portal.as('restore-operator');
    expect(await countsOf(person)).toEqual({ downloads: 0 });
  });
});
