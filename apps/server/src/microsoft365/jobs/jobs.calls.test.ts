import {
  createM365Job,
  deleteM365Job,
  disableM365Job,
  editJobNotification,
  editM365Job,
  enableM365Job,
  listJobsOfOrganization,
  listJobsOfOrganizations,
  listM365Jobs,
  listProxies,
  listProxyPools,
  listSessionLog,
  readJobNotification,
  readLatestSession,
  readM365Job,
  startM365Job,
  stopM365Job,
} from '@keepwatch/contract/microsoft365/jobs';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, rows } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import {
  type BuiltOrganization,
  buildM365Job,
  buildM365Repository,
  buildOwnOrganization,
  buildSession,
} from '../../testing/microsoft365-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { SessionLog } from '../sessions/session-log.ts';
import { makeSession } from '../sessions/sessions.ts';
import { poolIdOf, proxyIdOf } from '../workers/worker-ids.ts';
import { reportWorker } from '../workers/workers.ts';

type Body = CallRequest<typeof createM365Job>['body'];

let portal: TestPortal;
let admin: Caller;
let organization: BuiltOrganization;
let repositoryId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('o365_admin');
  organization = await buildOwnOrganization(portal.database);
  repositoryId = await buildM365Repository(portal.database, organization);
});
afterAll(() => portal.stop());

const bodyOf = (given: Partial<Body> = {}): Body => ({
  organizationId: organization.id,
  name: 'Nightly',
  backupType: 'EntireOrganization',
  repositoryId,
  schedulePolicy: { runAuto: true, type: 'Daily', dailyTime: '22:00', timeZone: 'Europe/Berlin' },
  ...given,
});
const make = async (given: Partial<Body> = {}) => (await admin.call(createM365Job, { body: bodyOf(given) })).data;
const named = () => ({ organizationId: organization.id, organizationName: 'Contoso' });
const actionsOf = async (id: string) =>
  (await rows<{ action: string }>(portal.database, sql`select action from audit_entries where target_id = ${id}`)).map(
    ({ action }) => action,
  );
/** Paths of the fields that a job is refused for. */
async function refused(given: Partial<Body>): Promise<string[]> {
  const response = await admin.send(createM365Job, { body: bodyOf(given) });
  expect(response.status).toBe(422);
  const { errors }: { errors: { path: string }[] } = await response.json();
  return errors.map(({ path }) => path);
}

describe('POST o365/jobs', () => {
  it('200: creates a job that is due by its schedule, and records it', async () => {
    const user = { type: 'User', id: 'ada', name: 'Ada' } as const;
    const data = await make({ backupType: 'selecteditems', selectedItems: { results: [user] } });
    expect(data).toMatchObject({
      name: 'Nightly',
      backupType: 'SelectedItems',
      nextRun: '2026-03-02T21:00:00.000Z',
      selectedCount: 1,
      selectedItems: { results: [{ ...user, mailbox: true, sites: false, personalSite: true }] },
      schedulePolicy: {
        type: 'Daily',
        dailyTime: '22:00',
        timeZone: 'Europe/Berlin',
        retryEnabled: true,
        retryNumber: 3,
      },
      lastSession: null,
      restorePoints: 0,
    });
    expect((await admin.call(readM365Job, { params: { jobId: data.id } })).data).toEqual(data);
    expect(await actionsOf(data.id)).toEqual(['m365-job.create']);
  });

  it('200: begins a run at once if it is asked to', async () => {
    const { lastSession } = await make({ schedulePolicy: { runAuto: false, type: 'Daily', runNow: true } });
    expect(lastSession).toMatchObject({ status: 'Running', creationTime: TEST_NOW.toISOString(), endTime: null });
  });

  it('422: names what is not of the organization, and what no schedule can be', async () => {
    const other = await buildOwnOrganization(portal.database);
    const foreign = await buildM365Repository(portal.database, other);
    const schedulePolicy = { runAuto: true, type: 'Chained', timeZone: 'Mars/Olympus' } as const;
    expect(await refused({ repositoryId: foreign, proxyId: newId() })).toEqual(['body.repositoryId', 'body.proxyId']);
    expect(await refused({ schedulePolicy })).toEqual([
      'body.schedulePolicy.afterJobId',
      'body.schedulePolicy.timeZone',
    ]);
    expect(await refused({ backupType: 'SelectedItems' })).toEqual(['body.selectedItems.results']);
    const items = [{ type: 'Site' }, { type: 'PersonalSites' }] as const;
    expect(await refused({ excludedItems: { results: [...items] } })).toEqual(['body.excludedItems.results.0.id']);
  });

  it('404: an organization of another provider', async () => {
    const { id } = await buildOwnOrganization(portal.database, { providerId: 2 });
    expect((await admin.send(createM365Job, { body: bodyOf({ organizationId: id }) })).status).toBe(404);
  });
});

describe('PUT o365/jobs/{jobId}', () => {
  it('200: changes a job and when it is due', async () => {
    const { id } = await make();
    const schedulePolicy = { runAuto: true, type: 'Periodically', periodicallyEvery: 30 } as const;
    const body = bodyOf({ name: 'Often', schedulePolicy });
    const { data } = await admin.call(editM365Job, { params: { jobId: id }, body });
    expect(data).toMatchObject({ name: 'Often', nextRun: '2026-03-02T08:30:00.000Z' });
    expect((await actionsOf(id)).sort()).toEqual(['m365-job.create', 'm365-job.edit']);
  });

  it('422: refuses jobs that wait for each other', async () => {
    const first = await make();
    const chained = (afterJobId: string) => ({ runAuto: true, type: 'Chained', afterJobId }) as const;
    const second = await make({ schedulePolicy: chained(first.id) });
    const body = bodyOf({ schedulePolicy: chained(second.id) });
    expect((await admin.send(editM365Job, { params: { jobId: first.id }, body })).status).toBe(422);
  });

  it('404: a job that is not there', async () => {
    expect((await admin.send(editM365Job, { params: { jobId: newId() }, body: bodyOf() })).status).toBe(404);
  });
});

describe('POST o365/jobs/{jobId}/start and /stop', () => {
  it('200: makes one run, and ends one that no worker has begun', async () => {
    const { id } = await make();
    const params = { jobId: id };
    const { data } = await admin.call(startM365Job, { params, body: named() });
    const again = await admin.send(startM365Job, { params, body: named() });
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'JOB_RUNNING' }]);
    expect((await admin.send(deleteM365Job, { params, body: named() })).status).toBe(409);
    await admin.call(stopM365Job, { params, body: named() });
    const latest = await admin.call(readLatestSession, { params, query: {} });
    expect(latest.data).toMatchObject({ id: data.sessionId, status: 'Warning', isStopped: true });
    const stopped = await admin.send(stopM365Job, { params, body: named() });
    expect([stopped.status, await stopped.json()]).toMatchObject([409, { code: 'JOB_NOT_RUNNING' }]);
    expect((await actionsOf(id)).sort()).toEqual(['m365-job.create', 'm365-job.start', 'm365-job.stop']);
  });

  it('404: a job of another organization', async () => {
    const params = { jobId: (await make()).id };
    const body = { organizationId: (await buildOwnOrganization(portal.database)).id };
    expect((await admin.send(startM365Job, { params, body })).status).toBe(404);
    expect((await admin.send(stopM365Job, { params, body })).status).toBe(404);
  });
});

describe('POST o365/jobs/{jobId}/enable and /disable', () => {
  it('200: a disabled job is due no more, and an enabled one by its schedule', async () => {
    const { id } = await make({ schedulePolicy: { runAuto: true, type: 'Periodically' } });
    const params = { jobId: id };
    await admin.call(disableM365Job, { params, body: named() });
    expect((await admin.call(readM365Job, { params })).data).toMatchObject({ isEnabled: false, nextRun: null });
    portal.clock.now = new Date('2026-03-02T10:00:00Z');
    await admin.call(enableM365Job, { params, body: named() });
    portal.clock.now = TEST_NOW;
    expect((await admin.call(readM365Job, { params })).data).toMatchObject({ nextRun: '2026-03-02T11:00:00.000Z' });
  });

  it('404: a job that is not there', async () => {
    const params = { jobId: newId() };
    expect((await admin.send(enableM365Job, { params, body: named() })).status).toBe(404);
    expect((await admin.send(disableM365Job, { params, body: named() })).status).toBe(404);
  });
});

describe('a job that two people change', () => {
  const stale = { status: 409, code: 'JOB_CHANGED' };
  const refusalOf = async (response: Response) => {
    const { code, message }: { code: string; message: string } = await response.json();
    return { status: response.status, code, message };
  };

  it('409: refuses each change of what was read before another one, and stores none of it', async () => {
    const { id, version } = await make();
    const params = { jobId: id };
    const edit = (name: string, read: number | undefined) =>
      admin.send(editM365Job, {
        params,
        body: { ...bodyOf({ name }), ...(read === undefined ? {} : { version: read }) },
      });
    expect((await edit('First', version)).status).toBe(200);
    const refused = await refusalOf(await edit('Second', version));
    expect(refused).toMatchObject(stale);
    expect(refused.message).toMatch(/^"First" was changed by another person.* save again\.$/);
    expect(await refusalOf(await admin.send(disableM365Job, { params, body: { ...named(), version } }))).toMatchObject(
      stale,
    );
    const { data } = await admin.call(readM365Job, { params });
    expect(data).toMatchObject({ name: 'First', isEnabled: true });
    // To disable it changes it, too.
    await admin.call(disableM365Job, { params, body: { ...named(), version: data.version } });
    expect(await refusalOf(await edit('Second', data.version))).toMatchObject(stale);
    expect((await edit('Second', undefined)).status).toBe(200);
    const actions = (await actionsOf(id)).toSorted();
    expect(actions).toEqual(['m365-job.create', 'm365-job.disable', 'm365-job.edit', 'm365-job.edit']);
  });

  it('409: one of two changes at the same moment is refused', async () => {
    const { id, version } = await make();
    const send = (name: string) =>
      admin.send(editM365Job, { params: { jobId: id }, body: { ...bodyOf({ name }), version } });
    const replies = await Promise.all(['One', 'Other', 'Third'].map(send));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });
});

describe('DELETE o365/jobs/{jobId}', () => {
  it('200: removes a job with its runs', async () => {
    const { id } = await make();
    await buildSession(portal.database, { providerId: 1, id });
    await admin.call(deleteM365Job, { params: { jobId: id }, body: named() });
    expect((await admin.send(readM365Job, { params: { jobId: id } })).status).toBe(404);
    expect((await admin.send(deleteM365Job, { params: { jobId: id }, body: named() })).status).toBe(404);
  });
});

describe('GET o365/jobs', () => {
  it('200: lists the jobs of the companies that the caller may see, with their last run', async () => {
    const own = await buildOwnOrganization(portal.database, { name: 'Fabrikam' });
    const [first, second] = [
      await buildM365Job(portal.database, own, { name: 'B' }),
      await buildM365Job(portal.database, own, { name: 'a' }),
    ];
    await buildSession(portal.database, { providerId: 1, id: first }, { result: 'Failed', message: 'No.' });
    await buildSession(portal.database, { providerId: 1, id: first }, { startedAt: new Date('2026-03-01T08:00:00Z') });
    const limited = await portal.as('o365_admin', { companyIds: [own.companyId] });
    const { data, count } = await limited.call(listM365Jobs, { query: {} });
    expect([count, data.map(({ name }) => name)]).toEqual([2, ['a', 'B']]);
    expect(data[1]).toMatchObject({
      id: first,
      organizationName: 'Fabrikam',
      restorePoints: 2,
      lastSession: { status: 'Failed', details: 'No.', progress: 100, creationTime: TEST_NOW.toISOString() },
    });
    const failed = await limited.call(listM365Jobs, { query: { status: ['Failed'], sort: '-lastRun' } });
    expect(failed.data.map(({ id }) => id)).toEqual([first]);
    const ofOne = await admin.call(listJobsOfOrganization, { params: { organizationId: own.id }, query: { limit: 1 } });
    expect([ofOne.count, ofOne.data.map(({ id }) => id)]).toEqual([2, [second]]);
    const ofSome = await admin.call(listJobsOfOrganizations, { body: { organizationsIds: [own.id] } });
    expect(ofSome.data).toEqual(data);
    expect((await limited.send(readM365Job, { params: { jobId: (await make()).id } })).status).toBe(404);
  });

  it('404: an organization that is not there', async () => {
    const params = { organizationId: newId() };
    expect((await admin.send(listJobsOfOrganization, { params, query: {} })).status).toBe(404);
  });
});

describe('GET o365/jobs/{jobId}/detail', () => {
  it('200: gives the last run with those before it, and its log a page at a time', async () => {
    const id = await buildM365Job(portal.database, organization, { repositoryId });
    const params = { jobId: id };
    expect(await admin.call(readLatestSession, { params, query: {} })).toMatchObject({ data: null, history: [] });
    const before = await buildSession(
      portal.database,
      { providerId: 1, id },
      { startedAt: new Date('2026-03-01T08:00:00Z') },
    );
    const sessionId = await buildSession(portal.database, { providerId: 1, id });
    const log = new SessionLog(portal.database, { providerId: 1, id: sessionId });
    for (let line = 1; line <= 1_201; line += 1) log.add(line % 2 === 0 ? 'error' : 'info', 'Ada', `line ${line}\0`);
    await log.flush();
    const latest = await admin.call(readLatestSession, { params, query: {} });
    expect([latest.data?.id, latest.history.map((one) => one.id)]).toEqual([sessionId, [before]]);
    const logParams = { ...params, sessionId };
    const page = await admin.call(listSessionLog, { params: logParams, query: { limit: 2, offset: 1_199 } });
    expect([page.count, page.data.map(({ message }) => message)]).toEqual([1_201, ['line 1200', 'line 1201']]);
    const errors = await admin.call(listSessionLog, { params: logParams, query: { type: ['error'], limit: 1 } });
    expect([errors.count, errors.data]).toMatchObject([600, [{ type: 'error', objectName: 'Ada', message: 'line 2' }]]);
  });

  it('404: a job that is not there, and a run of another job', async () => {
    expect((await admin.send(readLatestSession, { params: { jobId: newId() }, query: {} })).status).toBe(404);
    const [one, other] = [await make(), await make()];
    const sessionId = await buildSession(portal.database, { providerId: 1, id: other.id });
    expect((await admin.send(listSessionLog, { params: { jobId: one.id, sessionId }, query: {} })).status).toBe(404);
  });
});

describe('o365/jobs/{jobId}/notifications', () => {
  it('200: stores who is mailed, and records it', async () => {
    const params = { jobId: (await make()).id };
    expect((await admin.call(readJobNotification, { params, query: {} })).data).toMatchObject({
      enabled: false,
      userIds: [],
    });
    const body = {
      enabled: true,
      userIds: [admin.userId],
      externalAddresses: ['it@contoso.test'],
      notifyOnFailure: false,
    };
    const { data } = await admin.call(editJobNotification, { params, body });
    expect((await admin.call(readJobNotification, { params, query: {} })).data).toEqual(data);
    expect(data).toEqual({ ...params, organizationId: organization.id, ...body });
    expect(await actionsOf(params.jobId)).toContain('m365-job.notifications');
  });

  it('422: refuses a user who may not see the company; 404: a job that is not there', async () => {
    const stranger = await portal.as('operator', {
      companyIds: [(await buildOwnOrganization(portal.database)).companyId],
    });
    const body = { enabled: true, userIds: [stranger.userId], externalAddresses: [], notifyOnFailure: true };
    expect((await admin.send(editJobNotification, { params: { jobId: (await make()).id }, body })).status).toBe(422);
    expect((await admin.send(editJobNotification, { params: { jobId: newId() }, body })).status).toBe(404);
    expect((await admin.send(readJobNotification, { params: { jobId: newId() }, query: {} })).status).toBe(404);
  });
});

describe('GET o365/proxies', () => {
  it('200: lists machines with their processes as one, and pools, to which jobs can be bound', async () => {
    await execute(portal.database, sql`delete from m365_workers`);
    const worker = { name: 'worker-1', version: '2.2.14', pool: 'Berlin', capacity: 4 };
    await reportWorker(portal.database, { ...worker, id: newId() }, 1);
    await reportWorker(portal.database, { ...worker, id: newId() }, 2);
    await reportWorker(portal.database, { ...worker, name: 'worker-2', pool: null, id: newId() }, 0);
    const { data } = await admin.call(listProxies, { query: { organizationId: organization.id } });
    expect(data).toMatchObject([
      { id: proxyIdOf('worker-1'), name: 'worker-1', pool: 'Berlin', isOnline: true, running: 3, capacity: 8 },
      { id: proxyIdOf('worker-2'), name: 'worker-2', pool: null, running: 0, capacity: 4 },
    ]);
    // What it does of another provider is counted, and not shown.
    const foreign = await buildOwnOrganization(portal.database, { providerId: 2 });
    const theirs = await buildM365Job(portal.database, foreign);
    const { id, name: jobName } = await make({ schedulePolicy: { runAuto: false, type: 'Daily', runNow: true } });
    const other = await makeSession(portal.database, { providerId: 2, id: theirs }, TEST_NOW);
    const busy = { ...worker, id: newId() };
    await reportWorker(portal.database, busy, 2);
    await execute(
      portal.database,
      sql`update m365_job_sessions set worker_id = ${busy.id}, claimed_until = now() + interval '1 minute' where job_id = ${id} or id = ${other}`,
    );
    const seen = (await admin.call(listProxies, { query: {} })).data;
    expect(seen.map(({ running, runs }) => [running, runs])).toEqual([
      [5, [{ jobId: id, jobName, organizationName: 'Contoso', startTime: TEST_NOW.toISOString() }]],
      [0, []],
    ]);
    await admin.call(stopM365Job, { params: { jobId: id }, body: named() });
    const pools = await admin.call(listProxyPools, { query: {} });
    expect(pools.data).toEqual([{ id: poolIdOf('Berlin'), name: 'Berlin', proxyCount: 1 }]);
    expect((await make({ proxyId: poolIdOf('Berlin') })).proxyId).toBe(poolIdOf('Berlin'));
  });

  it('404: an organization that is not there', async () => {
    expect((await admin.send(listProxies, { query: { organizationId: newId() } })).status).toBe(404);
  });
});
