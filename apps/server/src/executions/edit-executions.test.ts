import {
  editJobExecution,
  editJobExecutions,
  getJobExecution,
  type JobExecutionChange,
  NOTES_MAX,
} from '@keepwatch/contract/executions/job-executions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, row, rows } from '../foundation/database.ts';
import { type BuiltJob, buildExecution, buildJob } from '../testing/builders.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

const MISSING = '00000000-0000-8000-8000-000000000000';
let portal: TestPortal;
let operator: Caller;
let job: BuiltJob;

beforeAll(async () => {
  portal = await startTestPortal();
  operator = await portal.as('operator');
});
beforeEach(async () => {
  job = await buildJob(portal.database);
});
afterAll(() => portal.stop());

const build = (hours: number) => buildExecution(portal.database, job, { startedAt: daysAgo(hours / 24) });
const edit = async (id: string, body: Parameters<typeof operator.call<typeof editJobExecution>>[1]['body']) =>
  (await operator.call(editJobExecution, { params: { id }, body })).data;

async function stored(id: string) {
  const [found] = await rows<{ state: string; changed_by: string | null }>(
    portal.database,
    sql`select state, changed_by from job_executions where id = ${id}`,
  );
  return found;
}

async function notesOf(id: string) {
  const found = await row<{ notes: unknown }>(portal.database, sql`select notes from job_executions where id = ${id}`);
  return found?.notes;
}

describe('PUT monitoring/backoffice/jobExecutions/{id}', () => {
  it('200: changes the state and returns the changed execution', async () => {
    const id = await build(1);
    expect(await edit(id, { state: 'resolved' })).toMatchObject({
      _id: id,
      state: 'resolved',
      result: 'Failed',
      note: null,
      changedBy: operator.username,
      changedAt: TEST_NOW.toISOString(),
    });
    expect(await stored(id)).toEqual({ state: 'resolved', changed_by: operator.userId });
  });

  it('200: stores a note as typed, with its author and time, and does not change the state', async () => {
    const id = await build(1);
    const content = `<b>called</b>\n\t'; delete from jobs; -- "é" =1+1 ${'x'.repeat(9_000)}`;
    expect(await edit(id, { note: { content } })).toMatchObject({ note: content, state: 'pending', changedBy: null });
    // No user has set the state, so it still follows the result.
    expect(await stored(id)).toEqual({ state: 'pending', changed_by: null });
    const { data } = await operator.call(getJobExecution, { params: { id } });
    expect(data.notes).toEqual([
      { _id: expect.any(String), content, by: operator.username, at: TEST_NOW.toISOString(), isOwn: true },
    ]);
  });

  it('200: adds a note to those of other users, and lists them oldest first', async () => {
    const id = await build(1);
    const colleague = await portal.as('operator');
    await edit(id, { note: { content: 'Called the customer' } });
    await colleague.call(editJobExecution, { params: { id }, body: { note: { content: 'Disk replaced' } } });
    const { data } = await operator.call(getJobExecution, { params: { id } });
    expect(data.notes.map(({ content, by, isOwn }) => [content, by, isOwn])).toEqual([
      ['Called the customer', operator.username, true],
      ['Disk replaced', colleague.username, false],
    ]);
    expect(data.note).toBe('Disk replaced');
  });

  it('200: removes a note of the caller and records its text in the audit log', async () => {
    const id = await build(1);
    await edit(id, { note: { content: 'First' } });
    await edit(id, { note: { content: 'Second' } });
    const { data } = await operator.call(getJobExecution, { params: { id } });
    const [first, second] = data.notes.map((note) => note._id);
    expect(await edit(id, { removeNote: first ?? '' })).toMatchObject({ note: 'Second' });
    expect(await edit(id, { removeNote: second ?? '' })).toMatchObject({ note: null });
    const entries = await rows(
      portal.database,
      sql`select before->>'removedNote' as removed from audit_entries where target_id = ${id} and before ? 'removedNote' order by at, removed`,
    );
    expect(entries).toEqual([{ removed: 'First' }, { removed: 'Second' }]);
    expect(await notesOf(id)).toBe(null);
  });

  it('404: refuses to remove the note of another user', async () => {
    const id = await build(1);
    await edit(id, { note: { content: 'Mine' } });
    const [note] = (await operator.call(getJobExecution, { params: { id } })).data.notes;
    const colleague = await portal.as('operator');
    const body = { removeNote: note?._id ?? '' };
    expect((await colleague.send(editJobExecution, { params: { id }, body })).status).toBe(404);
    expect((await operator.call(getJobExecution, { params: { id } })).data.note).toBe('Mine');
  });

  it('409: refuses another note when a run has the maximum number', async () => {
    const id = await build(1);
    const full = JSON.stringify(Array.from({ length: NOTES_MAX }, (_, index) => ({ id: String(index), content: 'x' })));
    await execute(portal.database, sql`update job_executions set notes = ${full} where id = ${id}`);
    const response = await operator.send(editJobExecution, { params: { id }, body: { note: { content: 'more' } } });
    expect([response.status, (await response.json()).message]).toEqual([
      409,
      'A run has 100 notes already. Remove one of yours before you add another.',
    ]);
  });

  it('200: ignores until a given time; another state ends the ignore', async () => {
    const id = await build(1);
    const ignoredUntil = '2026-03-09T10:00:00.000+02:00';
    expect(await edit(id, { state: 'ignored', ignoredUntil })).toMatchObject({
      state: 'ignored',
      ignoredUntil: '2026-03-09T08:00:00.000Z',
    });
    expect(await edit(id, { state: 'pending' })).toMatchObject({ state: 'pending', ignoredUntil: null });
  });

  it('200: records the values before and after in the audit log', async () => {
    const id = await build(1);
    await edit(id, { state: 'in-progress' });
    const entries = await rows(
      portal.database,
      sql`select action, user_id, before, after from audit_entries where target_id = ${id}`,
    );
    expect(entries).toEqual([
      {
        action: 'job-execution.edit',
        user_id: operator.userId,
        before: { _id: id, state: 'pending', ignoredUntil: null, changedById: null, changedAt: null },
        after: { state: 'in-progress' },
      },
    ]);
  });

  it('404: refuses to change executions of another provider or company', async () => {
    const own = await portal.as('operator', { companyIds: [(await buildJob(portal.database)).companyId ?? ''] });
    const foreign = await buildExecution(portal.database, await buildJob(portal.database, { providerId: 2 }));
    for (const [caller, id] of [
      [operator, foreign],
      [own, await build(1)],
      [operator, MISSING],
    ] as const) {
      const response = await caller.send(editJobExecution, { params: { id }, body: { state: 'resolved' } });
      expect(response.status).toBe(404);
      if (id !== MISSING) expect(await stored(id)).toEqual({ state: 'pending', changed_by: null });
    }
  });

  it('422: refuses an empty change, an unknown state and an unknown field', async () => {
    const id = await build(1);
    const bodies = [
      '{}',
      '{"state":"done"}',
      '{"state":"resolved","ignoredUntil":"2026-04-01T00:00:00Z"}',
      '{"state":"resolved","result":"Success"}',
      `{"note":{"content":"${'x'.repeat(10_001)}"}}`,
      '{"note":{"content":"a\\u0000b"}}',
      '{"note":{"content":" "}}',
      '{"removeNote":"x"}',
      `{"removeNote":"${MISSING}","note":{"content":"a"}}`,
      // It would ignore nothing, and the user would not notice.
      '{"state":"ignored","ignoredUntil":"2026-03-02T08:00:00Z"}',
      '[]',
    ];
    for (const body of bodies) {
      const response = await operator.raw('PUT', `/api/monitoring/backoffice/jobExecutions/${id}`, { body });
      expect([body.slice(0, 60), response.status]).toEqual([body.slice(0, 60), 422]);
    }
    expect(await stored(id)).toEqual({ state: 'pending', changed_by: null });
  });
});

describe('POST monitoring/backoffice/jobExecutions/bulk', () => {
  const bulk = (ids: string[], change: JobExecutionChange) =>
    operator.call(editJobExecutions, { body: { ids, change } });

  it('200: makes the same change to all and returns the values to undo it', async () => {
    const [first, second] = [await build(5), await build(3)];
    await edit(second, { state: 'ignored', ignoredUntil: '2026-05-01T00:00:00.000Z', note: { content: 'known' } });
    const reply = await bulk([second, first], { state: 'resolved', note: { content: 'all fixed' } });
    expect(reply).toMatchObject({
      updated: 2,
      notFound: [],
      before: [
        { _id: first, state: 'pending', ignoredUntil: null },
        { _id: second, state: 'ignored', ignoredUntil: '2026-05-01T00:00:00.000Z' },
      ],
    });
    const removeNote = reply.noteId ?? '';
    for (const { _id, state, ignoredUntil } of reply.before)
      await edit(_id, { state, removeNote, ...(ignoredUntil === null ? {} : { ignoredUntil }) });
    const { data } = await operator.call(getJobExecution, { params: { id: second } });
    expect(data).toMatchObject({ state: 'ignored', ignoredUntil: '2026-05-01T00:00:00.000Z', note: 'known' });
  });

  const undo = (
    caller: Caller,
    { madeAt, before }: Awaited<ReturnType<typeof bulk>>,
    earlier: { changedById?: string } = {},
  ) =>
    Promise.all(
      before.map(({ _id, state, ignoredUntil, changedById, changedAt }) =>
        caller.call(editJobExecutions, {
          body: {
            ids: [_id],
            change: { state, ...(ignoredUntil === null ? {} : { ignoredUntil }) },
            undoes: { madeAt, changedById, changedAt, ...earlier },
          },
        }),
      ),
    );
  const detail = async (id: string) => (await operator.call(getJobExecution, { params: { id } })).data;

  it('200: an undo gives a run back to the colleague who had it, or lets its state follow the result again', async () => {
    const [bens, free] = [await build(2), await build(1)];
    const ben = await portal.as('operator');
    portal.clock.now = new Date(TEST_NOW.getTime() - 60_000);
    await ben.call(editJobExecutions, { body: { ids: [bens], change: { state: 'in-progress' } } });
    const changedAt = portal.clock.now.toISOString();
    portal.clock.now = TEST_NOW;
    const [one, other] = await undo(operator, await bulk([bens, free], { state: 'resolved' }));
    expect([one?.updated, other?.updated]).toEqual([1, 1]);
    expect(await detail(bens)).toMatchObject({ state: 'in-progress', changedBy: ben.username, changedAt });
    expect(await stored(bens)).toEqual({ state: 'in-progress', changed_by: ben.userId });
    expect(await detail(free)).toMatchObject({ state: 'pending', changedBy: null, changedAt: null });
  });

  it('200: an undo leaves what was changed since as it is, and names it', async () => {
    const id = await build(1);
    const resolved = await bulk([id], { state: 'resolved' });
    const ignoredUntil = '2026-03-20T00:00:00.000Z';
    const ben = await portal.as('operator');
    await ben.call(editJobExecutions, { body: { ids: [id], change: { state: 'ignored', ignoredUntil } } });
    expect(await undo(operator, resolved)).toMatchObject([
      { updated: 0, notFound: [], changedSince: [id], before: [] },
    ]);
    expect(await detail(id)).toMatchObject({ state: 'ignored', ignoredUntil, changedBy: ben.username });
  });

  it('200: two changes are undone one after the other, each once', async () => {
    const id = await build(1);
    const first = await bulk([id], { state: 'in-progress' });
    portal.clock.now = new Date(TEST_NOW.getTime() + 60_000);
    const second = await bulk([id], { state: 'resolved' });
    expect(await undo(operator, first)).toMatchObject([{ updated: 0, changedSince: [id] }]);
    expect(await undo(operator, second)).toMatchObject([{ updated: 1 }]);
    expect(await undo(operator, second)).toMatchObject([{ updated: 0, changedSince: [id] }]);
    expect(await undo(operator, first)).toMatchObject([{ updated: 1 }]);
    portal.clock.now = TEST_NOW;
    expect(await detail(id)).toMatchObject({ state: 'pending', changedBy: null });
  });

  it('200: an undo brings back an ignore that has ended since', async () => {
    const id = await build(1);
    const ignoredUntil = new Date(TEST_NOW.getTime() + 60_000).toISOString();
    await bulk([id], { state: 'ignored', ignoredUntil });
    const resolved = await bulk([id], { state: 'resolved' });
    portal.clock.now = new Date(TEST_NOW.getTime() + 120_000);
    expect(await undo(operator, resolved)).toMatchObject([{ updated: 1 }]);
    portal.clock.now = TEST_NOW;
    expect(await detail(id)).toMatchObject({ state: 'ignored', ignoredUntil });
  });

  it('200: an undo gives no run to an account that is no user of the provider: it stays with the caller', async () => {
    const foreign = await portal.as('operator', { providerId: 2 });
    for (const [hour, changedById] of [foreign.userId, MISSING].entries()) {
      const id = await build(1 + hour);
      await undo(operator, await bulk([id], { state: 'resolved' }), { changedById });
      expect(await stored(id)).toEqual({ state: 'pending', changed_by: operator.userId });
    }
  });

  it('422: refuses both ids and spans, spans of what is no undo, and neither', async () => {
    const spans = [
      { jobInstanceUid: job.jobInstanceUid, from: '2026-03-01T00:00:00.000Z', to: TEST_NOW.toISOString() },
    ];
    const undoes = { madeAt: TEST_NOW.toISOString(), changedById: null, changedAt: null };
    const change = { state: 'pending' as const };
    const bodies = [
      { ids: [MISSING], spans, change, undoes },
      { ids: [], spans, change },
      { ids: [], change, undoes },
    ];
    for (const body of bodies) expect((await operator.send(editJobExecutions, { body })).status).toBe(422);
  });

  it('422: refuses an undo with a note or without a state, and one of a change before the earlier one', async () => {
    const id = await build(1);
    const undoes = { madeAt: TEST_NOW.toISOString(), changedById: null, changedAt: null };
    const bodies = [
      { ids: [id], change: { note: { content: 'a' } }, undoes },
      { ids: [id], change: { state: 'pending' as const, note: { content: 'a' } }, undoes },
      {
        ids: [id],
        change: { state: 'pending' as const },
        undoes: { ...undoes, changedAt: '2027-01-01T00:00:00.000Z' },
      },
    ];
    for (const body of bodies) expect((await operator.send(editJobExecutions, { body })).status).toBe(422);
  });

  it('200: names the ids outside the caller’s scope and does not change those', async () => {
    const own = await build(1);
    const foreign = await buildExecution(portal.database, await buildJob(portal.database, { providerId: 2 }));
    const reply = await bulk([own, foreign, MISSING, own.toUpperCase()], { state: 'resolved' });
    expect(reply.updated).toBe(1);
    expect([...reply.notFound].sort()).toEqual([foreign, MISSING].sort());
    expect(await stored(foreign)).toEqual({ state: 'pending', changed_by: null });
  });

  it('200: adds the same note to all and replaces none', async () => {
    const [first, second] = [await build(5), await build(3)];
    await edit(second, { note: { content: 'known' } });
    const reply = await bulk([first, second], { note: { content: 'all fixed' } });
    expect(reply.noteId).toEqual(expect.any(String));
    const contents = async (id: string) =>
      (await operator.call(getJobExecution, { params: { id } })).data.notes.map((note) => note.content);
    expect([await contents(first), await contents(second)]).toEqual([['all fixed'], ['known', 'all fixed']]);
    const undone = await bulk([first, second], { removeNote: reply.noteId ?? '' });
    expect([undone.updated, await contents(first), await contents(second)]).toEqual([2, [], ['known']]);
  });

  it('200: changes 1,000 at once, over several months', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 1_000; index += 1)
      ids.push(await buildExecution(portal.database, job, { startedAt: daysAgo(index / 10) }));
    expect((await bulk(ids, { state: 'resolved' })).updated).toBe(1_000);
    const left = await rows(
      portal.database,
      sql`select id from job_executions where job_instance_uid = ${job.jobInstanceUid} and state <> 'resolved'`,
    );
    expect(left).toEqual([]);
  });

  it('200: lets two users resolve the same executions in different order', async () => {
    const ids = [await build(4), await build(3), await build(2), await build(1)];
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => bulk(index % 2 === 0 ? ids : ids.toReversed(), { state: 'resolved' })),
    );
    expect(replies.map((reply) => reply.updated)).toEqual(Array(8).fill(4));
  });

  it('500: changes none when one cannot be changed, and writes no audit entry', async () => {
    const [fine, broken] = [await build(2), await build(1)];
    await execute(
      portal.database,
      sql`alter table job_executions add constraint unchangeable check (id <> ${sql.raw(`'${broken}'`)} or state = 'pending')`,
    );
    const response = await operator.send(editJobExecutions, {
      body: { ids: [fine, broken], change: { state: 'resolved' } },
    });
    await execute(portal.database, sql`alter table job_executions drop constraint unchangeable`);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({
      message: 'Error while trying to perform the bulk action, try again later.',
    });
    expect(await stored(fine)).toEqual({ state: 'pending', changed_by: null });
    const entries = await rows(
      portal.database,
      sql`select id from audit_entries where before::text like ${`%${fine}%`}`,
    );
    expect(entries).toEqual([]);
  });

  it('422: refuses an empty list, more than 1,000 ids and an invalid id', async () => {
    const change = { state: 'resolved' } as const;
    for (const ids of [[], Array<string>(1_001).fill(MISSING), ['x']])
      expect((await operator.send(editJobExecutions, { body: { ids, change } })).status).toBe(422);
  });
});
