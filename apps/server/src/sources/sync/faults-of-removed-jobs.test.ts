import type { SourceJob, SourceResult } from '@keepwatch/connectors/ports/backup-source';
import { getAttention } from '@keepwatch/contract/attention/attention';
import { getCompany } from '@keepwatch/contract/companies/companies';
import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { editFaults, getFault, listCauses, listFaults } from '@keepwatch/contract/faults/faults';
import { getChanges } from '@keepwatch/contract/insights/changes';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { row } from '../../foundation/database.ts';
import { settle } from '../../testing/settle.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import {
  ACME,
  ACME_COMPANY,
  connectWrittenSource,
  type WrittenSource,
  writtenExecution,
  writtenJob,
} from '../intake.fixture.ts';
import type { IntakeServices } from '../source-services.ts';
import { removeSource } from '../sources.ts';
import { syncSource } from './sync.ts';

const HOUR_MS = 3_600_000;
const OTHER_COMPANY = { ...ACME_COMPANY, externalId: 'globex', name: 'Globex' };
let portal: TestPortal;
let services: IntakeServices;
let console_: WrittenSource;
let sourceId: string;
let operator: Caller;
let admin: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());
beforeEach(async () => {
  await portal.database.query(
    'truncate sources, sync_runs, companies, company_links, jobs, job_executions, job_days, company_days, provider_days, faults cascade',
  );
  ({ source: console_, services, sourceId } = await connectWrittenSource(portal));
  console_.companies = [ACME, { value: OTHER_COMPANY }];
  operator = await portal.as('operator');
  admin = await portal.as('admin');
});

async function sync(): Promise<void> {
  portal.clock.now = new Date(portal.clock.now.getTime() + 5 * 60_000);
  await syncSource(services, { sourceId, isRequested: false }, new AbortController().signal);
  await settle(portal.database, services.queue);
}

/** The console reports a run of the job `nightly` that began so many hours ago. */
function runs(hoursAgo: number, result: SourceResult, given: Parameters<typeof writtenExecution>[2] = {}): void {
  const startedAt = new Date(TEST_NOW.getTime() - hoursAgo * HOUR_MS);
  console_.executions.push(writtenExecution('nightly', startedAt, { result, message: 'Disk is full', ...given }));
}

/** The console has this job, or none. */
async function has(given: Partial<SourceJob> | null): Promise<void> {
  const noSchedule = { scheduleType: null, intervalMs: null };
  console_.jobs = given === null ? [] : [writtenJob({ externalId: 'nightly', ...noSchedule, ...given })];
  await sync();
}

const companyId = async (name: string) =>
  (await row<{ id: string }>(portal.database, sql`select id from companies where name = ${name}`))?.id ?? '';

/** What each place says of how many faults are to be worked on. */
async function counts(company = 'Acme') {
  const id = await companyId(company);
  const query = { limit: 50, filter: { companyIds: id, state: ['pending' as const, 'in-progress' as const] } };
  const faults = await operator.call(listFaults, { query });
  const causes = await operator.call(listCauses, { query });
  const { openFaults, longestWithoutFine } = (await admin.call(getCompany, { params: { id } })).data;
  return {
    list: faults.count,
    rows: faults.data.length,
    sharing: faults.data[0]?.cause.jobs ?? 0,
    causes: causes.count,
    grouped: causes.data.reduce((sum, cause) => sum + cause.faults, 0),
    company: openFaults.failed,
    without: longestWithoutFine === null ? 0 : 1,
    yesterday: (await operator.call(getChanges, { query: { filter: { companyIds: id } } })).data.newFaults.count,
    sidebar: (await operator.call(getAttention, {})).data.faults,
  };
}

const same = (count: number) => ({
  list: count,
  rows: count,
  sharing: count,
  causes: count,
  grouped: count,
  company: count,
  without: count,
  yesterday: count,
  sidebar: count,
});

describe('the fault of a job that is removed from its source', () => {
  beforeEach(async () => {
    runs(5, 'Failed');
    await has({});
    expect(await counts()).toEqual(same(1));
  });

  it('is no work any more, while its runs stay in the list of runs', async () => {
    const fault = (await operator.call(listFaults, { query: { limit: 1, filter: {} } })).data[0];
    await has(null);
    expect(await counts()).toEqual(same(0));
    expect((await operator.call(listJobExecutions, { query: { limit: 5, filter: {} } })).data).toMatchObject([
      { result: 'Failed', state: 'pending' },
    ]);
    expect((await operator.call(getFault, { params: { id: fault?._id ?? '' } })).data.runs).toBe(1);
    const ofCause = { filter: {}, cause: fault?.cause.key ?? '' };
    const edited = await operator.call(editFaults, { body: { of: ofCause, change: { state: 'resolved' } } });
    expect(edited.changed).toBe(0);
  });

  it('stays out of the work when an earlier run of it is reported late, or another one', async () => {
    await has(null);
    runs(6, 'Failed');
    runs(1, 'Failed');
    await sync();
    expect(await counts()).toEqual(same(0));
  });

  it('is back as it was when the job is back', async () => {
    const change = { state: 'in-progress' as const, note: { content: 'Disk ordered' } };
    const ids = (await operator.call(listFaults, { query: { limit: 1, filter: {} } })).data.map(({ _id }) => _id);
    await operator.call(editFaults, { body: { ids, change } });
    await has(null);
    await has({});
    expect(await counts()).toEqual(same(1));
    runs(1, 'Failed');
    await sync();
    const { data } = await operator.call(listFaults, { query: { limit: 5, filter: {} } });
    expect(data).toMatchObject([{ _id: ids[0], state: 'in-progress', runs: 2 }]);
  });

  it('heals when the job is back and fine', async () => {
    await has(null);
    runs(1, 'Success', { message: null });
    await has({});
    expect(await counts()).toEqual(same(0));
    expect((await operator.call(listFaults, { query: { limit: 5, filter: {} } })).data).toMatchObject([
      { state: 'healed' },
    ]);
  });

  it('stays with its company when the job is back for another one, until it fails there', async () => {
    await has(null);
    await has({ companyExternalId: 'globex' });
    expect(await counts()).toMatchObject({ list: 1, causes: 1, company: 1, sidebar: 1 });
    runs(1, 'Failed', { companyExternalId: 'globex' });
    await sync();
    expect(await counts()).toMatchObject({ list: 0, causes: 0, company: 0 });
    expect(await counts('Globex')).toEqual(same(1));
  });

  it('is back when the job has another name since', async () => {
    await has(null);
    await has({ name: 'weekly' });
    expect(await counts()).toEqual(same(1));
    expect((await operator.call(listFaults, { query: { limit: 5, filter: {} } })).data).toMatchObject([
      { jobName: 'weekly' },
    ]);
  });

  it('is not that of a new job of the same name', async () => {
    await has({ externalId: 'other', name: 'nightly' });
    expect(await counts()).toEqual(same(0));
  });

  it('is no work when its console is disconnected', async () => {
    await removeSource(portal.database, 1, sourceId, portal.clock.now);
    expect(await counts()).toEqual(same(0));
  });
});
