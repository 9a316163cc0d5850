import { listHints } from '@keepwatch/contract/watch/hints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildHint } from '../testing/builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let admin: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('admin');
});
afterAll(() => portal.stop());

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
  });
});
