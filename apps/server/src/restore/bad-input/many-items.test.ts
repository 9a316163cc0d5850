import { backgroundDownloadReply, readDownload } from '@keepwatch/contract/restore/downloads';
import { downloadMailItems, restoreMailItemsToAnother, weighMailbox } from '@keepwatch/contract/restore/mailboxes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Caller } from '../../testing/test-portal.ts';
import { endOf, openSessionOf } from '../testing/bed-session.ts';
import { bytesOf, pstMails } from '../testing/read-files.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';

const MANY = 10_000;

let bed: RestoreBed;
let caller: Caller;
let params: { restoreSessionId: string; mailboxId: string };
let items: { id: string }[];
/** How many different ones are among them. */
let messages: number;

beforeAll(async () => {
  bed = await startRestoreBed({ users: 2 });
  caller = await bed.asAdministrator();
  const mailboxId = (await bed.stored.catalog.findObjects({ kinds: ['mailbox'], limit: 1 })).rows[0]?.id ?? '';
  params = { restoreSessionId: await openSessionOf(bed, caller, 'vex'), mailboxId };
  items = await chosenMessages();
}, 300_000);
afterAll(() => bed.stop());

/** The messages of the mailbox, chosen again and again: as many as a request takes. */
async function chosenMessages(): Promise<{ id: string }[]> {
  const found: { id: string }[] = [];
  const [object] = (await bed.stored.catalog.findObjects({ kinds: ['mailbox'], limit: 1 })).rows;
  if (object === undefined) throw new Error('The mailbox was not backed up.');
  for await (const { id, kind } of bed.stored.catalog.walk(object.key, object.revision, null))
    if (kind === 'message') found.push({ id });
  messages = found.length;
  return Array.from({ length: MANY }, (_, at) => found[at % found.length] ?? { id: '' });
}

it('ten thousand chosen entries are weighed, downloaded and planned to be restored, each message once', async () => {
  expect(items).toHaveLength(MANY);
  const begunMs = performance.now();
  expect((await caller.call(weighMailbox, { params, body: { items } })).data.items).toBe(messages);
  expect(performance.now() - begunMs).toBeLessThan(10_000);
  const file = { items, format: 'pst' as const, downloadInBackground: true };
  const begun = await caller.send(downloadMailItems, { params, body: file });
  const { id } = backgroundDownloadReply.parse(await begun.json()).download;
  await bed.work();
  const { url, status, missing } = (await caller.call(readDownload, { params: { id } })).download;
  expect([status, missing]).toEqual(['finished', 0]);
  const path = `/api/o365/restore/downloads/proxy?url=${encodeURIComponent(url ?? '')}`;
  expect(pstMails(await bytesOf(await caller.raw('GET', path)))).toHaveLength(messages);
  const body = { items, folder: 'Customers', planOnly: true };
  const end = await endOf(bed, caller, await caller.call(restoreMailItemsToAnother, { params, body }));
  expect(end).toMatchObject({ state: 'Success', isPlan: true, restored: messages, failed: 0 });
}, 300_000);

it('more than ten thousand are refused with the field, and one that never was is not found', async () => {
  const more = [...items, { id: 'one-more' }];
  for (const call of [downloadMailItems, weighMailbox]) {
    const refused = await caller.send(call, { params, body: { items: more } });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ errors: [{ path: 'body.items' }] });
  }
  const mixed = [...items.slice(0, MANY - 1), { id: 'nothing' }];
  expect((await caller.send(downloadMailItems, { params, body: { items: mixed } })).status).toBe(404);
});
