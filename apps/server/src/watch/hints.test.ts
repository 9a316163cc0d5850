import { createHint, HINTS_MAX, listHints } from '@keepwatch/contract/watch/hints';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, rows } from '../foundation/database.ts';
import { buildCompany, buildHint } from '../testing/builders.ts';
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

/** What the audit log has of a thing, newest first. */
const auditOf = (id: string) =>
  rows(
    portal.database,
    sql`select username, action, before, after from audit_entries where target_id = ${id} order by at desc, id desc`,
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
});
