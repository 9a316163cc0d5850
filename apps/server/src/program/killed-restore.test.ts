import { restoreMailboxToOriginal } from '@keepwatch/contract/restore/mailboxes';
import { openRestoreSession, readRestoreOperation } from '@keepwatch/contract/restore/sessions';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runRestoreJob } from '../restore/operations/run-restore.job.ts';
import { ProcessBed } from './testing/process-bed.ts';

const INTO = 'Restored after a kill';

let bed: ProcessBed;
beforeAll(async () => {
  // Late answers, so that the restore can be caught in the middle.
  bed = await ProcessBed.start({ latencyMs: 60 });
});
afterAll(() => bed.stop());

/** Messages in a folder and all below it, by the paths of their folders. */
async function messagesBelow(userId: string, path: string, name: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const folders = (await bed.connection.page({ path: `/users/${userId}/${path}?$top=100` })).value;
  for (const one of folders) {
    const place = `${name}/${String(one['displayName'])}`;
    found.set(place, Number(one['totalItemCount']));
    for (const [below, count] of await messagesBelow(userId, `mailFolders/${String(one['id'])}/childFolders`, place))
      found.set(below, count);
  }
  return found;
}

it('a restore whose worker is killed goes on in another one within a minute, and nothing is doubled', async () => {
  const user = bed.tenant.tenant.directory.users.find(({ mailbox }) => mailbox !== null);
  const mailboxId = user?.id ?? '';
  await bed.backUp(mailboxId, ['mailbox']);
  const before = await messagesBelow(mailboxId, 'mailFolders', '');

  const caller = await bed.administrator();
  const { id: organizationId, companyId } = bed.organization;
  const datetime = new Date(Date.now() + 60_000).toISOString();
  const opened = await caller.call(openRestoreSession, {
    body: { companyId, organizationId, datetime, sessionType: 'vex' },
  });
  const params = { restoreSessionId: opened.data.id, mailboxId };
  const begun = await caller.call(restoreMailboxToOriginal, { params, body: { options: { folder: INTO } } });
  const operationId = begun.data.id;
  const read = async () => (await caller.call(readRestoreOperation, { params: { operationId } })).data;

  const first = await bed.startRole('worker');
  await bed.sendToWorkers(runRestoreJob, { providerId: 1, operationId });
  await expect.poll(async () => (await read()).done).toBeGreaterThan(10);
  await bed.kill(first);
  expect(await read()).toMatchObject({ state: 'Running' });
  const { done: doneBefore } = await read();

  const killedAt = Date.now();
  await bed.startRole('worker');
  await expect.poll(async () => (await read()).done, { timeout: 90_000 }).toBeGreaterThan(doneBefore);
  expect(Date.now() - killedAt).toBeLessThan(60_000);
  await expect.poll(async () => (await read()).state, { timeout: 120_000 }).not.toBe('Running');
  expect(await read()).toMatchObject({ failed: 0, notBegun: 0 });

  const after = await messagesBelow(mailboxId, 'mailFolders', '');
  const restored = [...after].filter(([path]) => path.startsWith(`/${INTO}/`));
  const expected = [...before].filter(([, count]) => count > 0).map(([path, count]) => [`/${INTO}${path}`, count]);
  expect(restored.filter(([, count]) => count > 0).toSorted()).toEqual(expected.toSorted());
}, 300_000);
