import { readM365Job } from '@keepwatch/contract/microsoft365/jobs';
import {
  addPeopleToJob,
  listAgedObjects,
  listUnprotectedPeople,
  readObjectAges,
  readProtectedPeople,
  readProvedJobs,
} from '@keepwatch/contract/microsoft365/protection';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { rows, transaction } from '../../foundation/database.ts';
import { Scope } from '../../foundation/scope.ts';
import { newId } from '../../foundation/secrets.ts';
import { insert, update } from '../../foundation/table-writes.ts';
import { buildCompany } from '../../testing/builders.ts';
import {
  type BuiltOrganization,
  buildDirectory,
  buildM365Job,
  buildM365Repository,
  buildObjectPoint,
  buildOwnOrganization,
  buildSession,
} from '../../testing/microsoft365-builders.ts';
import { daysAgo } from '../../testing/report-builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../../testing/test-portal.ts';
import { readPeople } from '../people/reasons.ts';
import { m365Jobs, m365Proofs, m365UnprotectedPeople } from '../tables.ts';

let portal: TestPortal;
let admin: Caller;
let contoso: BuiltOrganization;
let fabrikam: BuiltOrganization;
let repositoryId: string;
/** Of chosen people; of the whole of Fabrikam, but without Eve. */
let chosen: string;
let whole: string;

const PERSON = {
  type: 'User' as const,
  ...{ mailbox: true, archiveMailbox: true, oneDrive: true },
  ...{ sites: false, personalSite: true, teams: true },
};
const person = (name: string) => ({ ...PERSON, id: name.toLowerCase(), name });

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('o365_admin');
  const { database } = portal;
  contoso = await buildOwnOrganization(database, { name: 'Contoso' });
  repositoryId = await buildM365Repository(database, contoso);
  const list = { repositoryId, backupType: 'SelectedItems' } as const;
  // Microsoft writes ids in lower case; a caller may not.
  const ada = { ...person('Ada'), id: 'ADA' };
  chosen = await buildM365Job(database, contoso, { ...list, name: 'Chosen', selected: [ada] });
  await buildSession(database, { providerId: 1, id: chosen });
  await buildM365Job(database, contoso, { ...list, name: 'Old', selected: [person('Bob')], isEnabled: false });
  await buildM365Job(database, contoso, { ...list, name: 'New', selected: [person('Cyd')] });
  await buildDirectory(database, contoso, { people: 40, unprotected: ['Ada', 'Bob', 'Cyd', 'Dan', 'Dot'] });
  fabrikam = await buildOwnOrganization(database, { name: 'Fabrikam' });
  whole = await buildM365Job(database, fabrikam, { name: 'Whole', excluded: [person('Eve')] });
  await buildDirectory(database, fabrikam, { people: 10, unprotected: ['Eve'] });
  await buildOwnOrganization(database, { name: 'Unread' });
  await buildOwnOrganization(database, { name: 'Behind a server', engine: 'veeam' });
});
afterAll(() => portal.stop());

/** A caller who reaches no organization. */
const stranger = async () => portal.as('o365_admin', { companyIds: [await buildCompany(portal.database)] });

describe('GET o365/dashboard/people', () => {
  it('200: counts who is not backed up by why, with the job that it is about', async () => {
    const { data } = await admin.call(readProtectedPeople, { query: {} });
    // What another engine backs up will never be read.
    const unread = [{ organizationName: 'Unread', message: null }];
    expect(data).toMatchObject({ people: 50, unprotected: 6, unread, uncounted: 1 });
    const groups = data.groups.map(({ organizationName, reason, people, jobName }) =>
      [organizationName, reason, people, jobName].join(' '),
    );
    expect(groups[0]).toBe('Contoso no-job 2 Chosen');
    expect(groups.slice(1)).toEqual([
      'Contoso disabled 1 Old',
      'Contoso missing 1 Chosen',
      'Contoso not-yet 1 New',
      'Fabrikam excluded 1 Whole',
    ]);
  });

  it('shows nothing outside the companies of who asks', async () => {
    const { data } = await (await stranger()).call(readProtectedPeople, { query: {} });
    expect(data).toEqual({ people: 0, unprotected: 0, groups: [], unread: [], uncounted: 0, readTime: null });
  });
});

describe('GET o365/dashboard/unprotected-people', () => {
  it('200: lists those of each figure', async () => {
    const { data: figures } = await admin.call(readProtectedPeople, { query: {} });
    for (const { organizationId, reason, jobId, people } of figures.groups) {
      const query = { organizationId, reason, ...(jobId === null ? {} : { jobId }) };
      expect((await admin.call(listUnprotectedPeople, { query })).count).toBe(people);
    }
    const { count, data } = await admin.call(listUnprotectedPeople, { query: { limit: 2 } });
    expect([count, ...data.map(({ name, reason }) => `${name} ${reason}`)]).toEqual([6, 'Ada missing', 'Bob disabled']);
    expect((await (await stranger()).call(listUnprotectedPeople, { query: {} })).count).toBe(0);
  });
});

describe('the reasons of many organizations', () => {
  it('are worked out for one after another, and no further than the largest groups are', async () => {
    const other = await portal.as('o365_admin', { providerId: 2 });
    const sizes = [...Array.from({ length: 24 }, () => 1), 3, 2];
    for (const [at, size] of sizes.entries()) {
      const organization = await buildOwnOrganization(portal.database, { providerId: 2, name: `Organization ${at}` });
      const unprotected = Array.from({ length: size }, (_, place) => `Person ${at} ${place}`);
      await buildDirectory(portal.database, organization, { people: 5, unprotected });
    }
    const asked = vi.spyOn(portal.database, 'query');
    const data = await readPeople(portal.database, new Scope(2, null), undefined);
    const texts = asked.mock.calls.map(([query]) => JSON.stringify(query));
    asked.mockRestore();
    expect(texts.filter((text) => text.includes('candidates as materialized'))).toHaveLength(20);
    expect((await other.call(readProtectedPeople, { query: {} })).data).toEqual(data);
    expect(data).toMatchObject({ people: 130, unprotected: 29 });
    expect(data.groups.map(({ people }) => people)).toEqual([3, 2, ...Array.from({ length: 18 }, () => 1)]);
    expect(data.groups[0]).toMatchObject({ organizationName: 'Organization 24', reason: 'no-job', jobId: null });

    const page = await other.call(listUnprotectedPeople, { query: { limit: 2, offset: 28 } });
    expect([page.count, page.data.map(({ name, reason }) => [name, reason])]).toEqual([29, [['Person 9 0', 'no-job']]]);
    expect((await other.send(listUnprotectedPeople, { query: { reason: 'no-job' } })).status).toBe(422);
  });
});

describe('GET o365/dashboard/object-ages', () => {
  it('200: counts objects by the age of their newest complete backup, and lists those of each age', async () => {
    const ages = { Young: 0.5, Second: 2, Sixth: 6, Tenth: 10, Old: 40, Never: null };
    for (const [name, days] of Object.entries(ages)) {
      const completeAt = days === null ? null : daysAgo(days);
      await buildObjectPoint(portal.database, contoso, { repositoryId, jobId: chosen, name, completeAt });
    }
    const { data } = await admin.call(readObjectAges, { query: {} });
    expect(data.map(({ objects }) => objects)).toEqual([1, 1, 1, 1, 1, 1]);
    const names = [];
    for (const { age } of data) names.push((await admin.call(listAgedObjects, { query: { age } })).data[0]?.name);
    expect(names).toEqual(Object.keys(ages));
    const all = await admin.call(listAgedObjects, { query: { limit: 2 } });
    expect(all).toMatchObject({ count: 6, data: [{ name: 'Never', jobName: 'Chosen' }, { name: 'Old' }] });
    expect((await (await stranger()).call(listAgedObjects, { query: {} })).data).toEqual([]);
  });
});

describe('GET o365/dashboard/proofs', () => {
  it('200: counts jobs by their last proof, and names those that are open', async () => {
    const { repositoryId } = (await admin.call(readM365Job, { params: { jobId: chosen }, query: {} })).data;
    const proof = { providerId: 1, jobId: chosen, repositoryId, items: 20, bytes: 4_096 };
    const ended = (days: number, result: 'Failed' | 'Success') =>
      insert(portal.database, m365Proofs, {
        ...{ ...proof, id: newId(), result },
        ...{ startedAt: daysAgo(days), endedAt: daysAgo(days) },
      });
    await ended(9, 'Success');
    await ended(2, 'Failed');
    await buildSession(portal.database, { providerId: 1, id: whole });
    const { data } = await admin.call(readProvedJobs, { query: {} });
    expect(data).toMatchObject({
      ...{ jobs: 2, success: 0, warning: 0, failed: 1, never: 1 },
      last: { jobName: 'Chosen', status: 'Failed', items: 20, bytes: 4_096 },
      open: [
        { jobName: 'Chosen', status: 'Failed' },
        { jobName: 'Whole', status: null },
      ],
    });
    expect((await (await stranger()).call(readProvedJobs, { query: {} })).data).toMatchObject({ jobs: 0, last: null });
  });
});

describe('POST o365/jobs/{jobId}/people', () => {
  const add = (jobId: string, { id: organizationId }: BuiltOrganization, reason: 'no-job' | 'excluded') =>
    admin.send(addPeopleToJob, { params: { jobId }, body: { organizationId, reason } });
  const itemsOf = async (jobId: string) => {
    const { data } = await admin.call(readM365Job, { params: { jobId }, query: {} });
    return [data.selectedItems, data.excludedItems].map(({ results }) => results.map(({ name }) => name));
  };

  it('200: adds those whom no job has', async () => {
    expect(await (await add(chosen, contoso, 'no-job')).json()).toMatchObject({ data: { people: 2 } });
    expect(await itemsOf(chosen)).toEqual([['Ada', 'Dan', 'Dot'], []]);
    // There are none left.
    expect(await (await add(chosen, contoso, 'no-job')).json()).toMatchObject({ data: { people: 0 } });
    const entries = await rows(
      portal.database,
      sql`select a.before->>'selectedCount' as before, a.after->>'selectedCount' as after from audit_entries a where a.action = 'm365-job.edit'`,
    );
    expect(entries).toEqual([{ before: '1', after: '3' }]);
  });

  it('200: no longer leaves those out whom the job left out', async () => {
    expect(await (await add(whole, fabrikam, 'excluded')).json()).toMatchObject({ data: { people: 1 } });
    expect(await itemsOf(whole)).toEqual([[], []]);
  });

  it('409: refuses a job that is changed at that moment, and makes what was read of it before stale', async () => {
    const { providerId, id: organizationId } = contoso;
    const jobId = await buildM365Job(portal.database, contoso, { repositoryId, backupType: 'SelectedItems' });
    await insert(portal.database, m365UnprotectedPeople, { providerId, organizationId, objectId: 'eve', name: 'Eve' });
    const { version } = (await admin.call(readM365Job, { params: { jobId }, query: {} })).data;
    const refused = await transaction(portal.database, async (connection) => {
      await update(connection, m365Jobs, { name: 'Renamed', version: version + 1 }, { providerId, id: jobId });
      const waiting = add(jobId, contoso, 'no-job');
      const locked = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await rows(portal.database, locked)).length).toBe(1);
      return { waiting };
    });
    const reply = await refused.waiting;
    expect([reply.status, await reply.json()]).toMatchObject([409, { code: 'JOB_CHANGED' }]);
    expect(await (await add(jobId, contoso, 'no-job')).json()).toMatchObject({ data: { people: 1 } });
    expect((await admin.call(readM365Job, { params: { jobId }, query: {} })).data.version).toBe(version + 2);
  });

  it('404: refuses a job that is not there, or of another organization', async () => {
    expect((await add(newId(), contoso, 'no-job')).status).toBe(404);
    expect((await add(chosen, fabrikam, 'no-job')).status).toBe(404);
  });
});
