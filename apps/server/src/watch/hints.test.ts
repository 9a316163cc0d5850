import { getJobExecution } from '@keepwatch/contract/executions/job-executions';
import {
  createHint,
  deleteHint,
  editHint,
  HINTS_MAX,
  listFittingRuns,
  listHints,
  SEARCHED_RUNS_MAX,
} from '@keepwatch/contract/watch/hints';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, rows } from '../foundation/database.ts';
import { buildCompany, buildExecution, buildHint, buildJob } from '../testing/builders.ts';
import { liveChangesOf } from '../testing/live-changes.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

const body = {
  title: 'VSS writer timed out',
  text: 'Restart the writer.\nSee https://kb.test/vss',
  words: 'vss "timed out"',
  sourceGroups: [],
  jobTypes: [],
  isActive: true,
};

let portal: TestPortal;
let admin: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('admin');
});
afterAll(() => portal.stop());

/** What the audit log has of a thing, by action. */
const auditOf = (id: string) =>
  rows(
    portal.database,
    sql`select username, action, before, after from audit_entries where target_id = ${id} order by action`,
  );

describe('GET monitoring/backoffice/hints', () => {
  it('200: lists by title, and finds hints by title, text and words', async () => {
    await buildHint(portal.database, { title: 'list b', text: 'restart the 100% agent' });
    await buildHint(portal.database, { title: 'List A', words: 'list-words' });
    await buildHint(portal.database, { title: 'list c', providerId: 2 });
    const titlesOf = async (search: string) =>
      (await admin.call(listHints, { query: { search } })).data.map(({ title }) => title);
    expect(await titlesOf('list')).toEqual(['List A', 'list b']);
    expect(await titlesOf('100%')).toEqual(['list b']);
    expect(await titlesOf('LIST-W')).toEqual(['List A']);
    const page = await admin.call(listHints, { query: { search: 'list', sort: '-title', limit: 1, offset: 1 } });
    expect(page).toMatchObject({
      count: 2,
      data: [{ title: 'List A', text: 'What to do', result: null, isActive: true }],
    });
  });

  it('403: refuses users who are limited to companies', async () => {
    const limited = await portal.as('admin', { companyIds: [await buildCompany(portal.database)] });
    expect((await limited.send(listHints, {})).status).toBe(403);
    expect((await limited.send(createHint, { body })).status).toBe(403);
  });
});

describe('POST monitoring/backoffice/hints', () => {
  it('200: adds a hint, and records who did it', async () => {
    const { data } = await admin.call(createHint, { body: { ...body, title: '  Added ', result: 'Failed' } });
    expect(data).toMatchObject({ ...body, title: 'Added', result: 'Failed' });
    const { data: found } = await admin.call(listHints, { query: { search: 'added' } });
    expect(found).toEqual([data]);
    expect(await auditOf(data._id)).toEqual([
      { username: admin.username, action: 'hint.create', before: null, after: data },
    ]);
  });

  it('422: refuses a condition that every run fits, and more than the fields can have', async () => {
    for (const wrong of [{ words: ' "" ' }, { title: ' ' }, { text: 'x'.repeat(4_001) }, { jobTypes: ['a', ''] }])
      expect((await admin.send(createHint, { body: { ...body, ...wrong } })).status).toBe(422);
    const unread = await admin.send(createHint, { body: { ...body, words: '' } });
    expect((await unread.json()).errors).toEqual([
      { path: 'body.words', message: 'Enter words of the message, or choose a result.' },
    ]);
  });

  it('409: refuses more hints than a provider can have', async () => {
    const other = await portal.as('admin', { providerId: 2 });
    await execute(
      portal.database,
      sql`insert into hints (provider_id, id, title, text, words, phrases, source_groups, job_types, is_active, updated_at)
          select 2, gen_random_uuid(), 'One of many', '', 'a', '{a}', '{}', '{}', true, now() from generate_series(1, ${HINTS_MAX})`,
    );
    const refused = await other.send(createHint, { body });
    expect([refused.status, (await refused.json()).message]).toEqual([
      409,
      'There are 500 hints already. Delete one to add another.',
    ]);
  });

  it('409: refuses all but one of the requests that ask for the last place at the same time', async () => {
    const other = await portal.as('admin', { providerId: 2 });
    const others = sql`select id from hints where provider_id = 2 limit ${HINTS_MAX - 1}`;
    await execute(portal.database, sql`delete from hints where provider_id = 2 and id not in (${others})`);
    const answers = await Promise.all(Array.from({ length: 8 }, () => other.send(createHint, { body })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
  });
});

describe('PUT and DELETE monitoring/backoffice/hints/{hintId}', () => {
  it('200: replaces a hint, deletes it, and records both with what was before', async () => {
    const { data: before } = await admin.call(createHint, { body: { ...body, result: 'Failed' } });
    const params = { hintId: before._id };
    const { data: after } = await admin.call(editHint, { params, body: { ...body, words: 'other', isActive: false } });
    expect(after).toMatchObject({ _id: before._id, words: 'other', result: null, isActive: false });
    await admin.call(deleteHint, { params });
    expect((await auditOf(before._id)).slice(1)).toMatchObject([
      { action: 'hint.delete', before: after, after: null },
      { action: 'hint.edit', before, after },
    ]);
  });

  it('404: refuses a hint that is gone, and one of another provider', async () => {
    const foreign = await buildHint(portal.database, { providerId: 2 });
    for (const hintId of [foreign, '00000000-0000-4000-8000-000000000000']) {
      expect((await admin.send(editHint, { params: { hintId }, body })).status).toBe(404);
      const refused = await admin.send(deleteHint, { params: { hintId } });
      expect([refused.status, (await refused.json()).message]).toEqual([
        404,
        'The hint was not found. It may have been removed.',
      ]);
    }
  });

  it('422: refuses a condition that every run fits', async () => {
    const hintId = await buildHint(portal.database);
    expect((await admin.send(editHint, { params: { hintId }, body: { ...body, words: '' } })).status).toBe(422);
  });
});

describe('GET monitoring/backoffice/hints/runs', () => {
  it('200: counts the runs of 30 days that fit, and gives the newest three, of this provider', async () => {
    const job = await buildJob(portal.database, { name: 'Fits', sourceGroup: 'office365' });
    for (const day of [1, 2, 3, 4, 31])
      await buildExecution(portal.database, job, { startedAt: daysAgo(day), message: 'Writer 5% TIMED out' });
    const foreign = await buildJob(portal.database, { providerId: 2 });
    await buildExecution(portal.database, foreign, { message: 'Writer 5% timed out' });
    const query = { words: 'writer "5% timed"', sourceGroups: ['office365' as const] };
    const { count, searched, data } = await admin.call(listFittingRuns, { query });
    expect([count, searched]).toEqual([4, 4]);
    expect(data.map(({ startedAt }) => startedAt)).toEqual([1, 2, 3].map((day) => daysAgo(day).toISOString()));
    expect(data[0]).toMatchObject({
      jobName: 'Fits',
      companyName: 'Acme',
      result: 'Failed',
      message: 'Writer 5% TIMED out',
    });
    for (const other of [{ words: 'writer_5' }, { result: 'Success' as const }, { jobTypes: ['BackupVm'] }])
      expect((await admin.call(listFittingRuns, { query: { ...query, ...other } })).count).toBe(0);
  });

  it('200: looks at the newest 20,000 runs, and says so', async () => {
    const job = await buildJob(portal.database, { providerId: 2 });
    await buildExecution(portal.database, job, { startedAt: daysAgo(20), message: 'the oldest of all' });
    const id = await buildExecution(portal.database, job, { startedAt: daysAgo(1), message: 'one of many' });
    await execute(
      portal.database,
      sql`insert into job_executions
          select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'started_at', e.started_at - n * interval '1 second'))).*
          from job_executions e, generate_series(1, ${SEARCHED_RUNS_MAX}) n where e.id = ${id}`,
    );
    const other = await portal.as('admin', { providerId: 2 });
    const found = async (words: string) => {
      const { count, searched } = await other.call(listFittingRuns, { query: { words } });
      return [count, searched];
    };
    expect(await found('oldest')).toEqual([0, SEARCHED_RUNS_MAX]);
    expect(await found('many')).toEqual([1_000, SEARCHED_RUNS_MAX]);
  });

  it('403: refuses users who are limited to companies', async () => {
    const limited = await portal.as('admin', { companyIds: [await buildCompany(portal.database)] });
    expect((await limited.send(listFittingRuns, { query: { words: 'a' } })).status).toBe(403);
  });
});

describe('the hints of GET monitoring/backoffice/jobExecutions/{id}', () => {
  it('200: are those that fit the run, the most specific first, three at most, of its provider', async () => {
    const job = await buildJob(portal.database, { sourceGroup: 'office365' });
    const id = await buildExecution(portal.database, job, { message: 'Mailbox QUOTA of 50% exceeded' });
    const add = (title: string, given: Partial<CallRequest<typeof createHint>['body']>) =>
      admin.call(createHint, { body: { ...body, ...given, title } });
    await add('one word', { words: 'quota' });
    await add('two words', { words: 'mailbox quota' });
    await add('a longer phrase', { words: '"quota of 50%"' });
    await add('word, result and source', { words: 'quota', result: 'Failed', sourceGroups: ['office365'] });
    await add('off', { words: 'mailbox quota of exceeded', isActive: false });
    await add('another result', { words: 'quota', result: 'Success' });
    await add('another type of job', { words: 'mailbox quota of exceeded', jobTypes: ['BackupVm'] });
    await add('another message', { words: 'quota_of' });
    await buildHint(portal.database, { providerId: 2, words: 'quota' });
    const reader = await portal.as('read-only');
    const { data } = await reader.call(getJobExecution, { params: { id } });
    expect(data.hints.map(({ title }) => title)).toEqual(['word, result and source', 'two words', 'a longer phrase']);
    expect(data.hints[0]).toMatchObject({ text: body.text });
  });

  it('200: need no message where a hint is for a result', async () => {
    const id = await buildExecution(portal.database, await buildJob(portal.database), { result: 'DidntRun' });
    await admin.call(createHint, { body: { ...body, title: 'Missed', words: '', result: 'DidntRun' } });
    const { data } = await (await portal.as('operator')).call(getJobExecution, { params: { id } });
    expect(data.hints.map(({ title }) => title)).toEqual(['Missed']);
  });
});

it('announces to open browsers of the provider when hints were added, changed and deleted', async () => {
  const changes = [] as string[][];
  let hintId = '';
  changes.push(
    await liveChangesOf(portal, async () => {
      hintId = (await admin.call(createHint, { body: { ...body, title: 'live' } })).data._id;
    }),
    await liveChangesOf(portal, () => admin.call(editHint, { params: { hintId }, body: { ...body, title: 'Live' } })),
    await liveChangesOf(portal, () => admin.call(deleteHint, { params: { hintId } })),
    await liveChangesOf(portal, () => admin.send(deleteHint, { params: { hintId } })),
  );
  expect(changes).toEqual([['1 hints.changed'], ['1 hints.changed'], ['1 hints.changed'], []]);
});
