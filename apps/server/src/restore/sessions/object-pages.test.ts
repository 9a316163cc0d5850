import { listRestoreMailboxes } from '@keepwatch/contract/restore/mailboxes';
import { erase } from '@keepwatch/engine/engine';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../testing/test-portal.ts';
import { openSessionOf } from '../testing/bed-session.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';

let bed: RestoreBed;
let caller: Caller;
let restoreSessionId: string;
beforeAll(async () => {
  bed = await startRestoreBed({ users: 4 });
  caller = await bed.asAdministrator();
  restoreSessionId = await openSessionOf(bed, caller, 'vex');
});
afterAll(() => bed.stop());

type Mailboxes = { data: { results: { id: string; name: string }[] }; _links: { next?: { href: string } } };

async function pageAt(href: string): Promise<Mailboxes> {
  const response = await caller.raw('GET', `/api${href}`);
  expect(response.status).toBe(200);
  return response.json();
}

it('a list of mailboxes is read on behind its last row, even if one before it was erased meanwhile', async () => {
  const params = { restoreSessionId };
  const whole = (await caller.call(listRestoreMailboxes, { params, query: { limit: 100 } })).data.results;
  const first = await caller.call(listRestoreMailboxes, { params, query: { limit: 2 } });
  await erase(
    bed.stored,
    { subject: { type: 'user', id: whole[0]?.id ?? '' }, by: 'admin', reason: 'asked' },
    { signal: new AbortController().signal, onEvent() {} },
  );
  const second = await pageAt(first._links.next?.href ?? '');
  expect(second.data.results.map(({ id }) => id)).toEqual(whole.slice(2, 4).map(({ id }) => id));
});

it('a link that was changed is refused', async () => {
  const path = `/api/o365/restore/restoresessions/${restoreSessionId}/mailboxes?after=`;
  for (const after of ['nonsense', '%20']) expect((await caller.raw('GET', `${path}${after}`)).status, after).toBe(422);
});
