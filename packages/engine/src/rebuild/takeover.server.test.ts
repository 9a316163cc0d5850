import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { openRepository } from '../repository/open-repository.ts';
import { AgingStore } from '../testing/aging-store.ts';
import { CHEAP, PASSWORD, useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';

const database = useDatabase();
const SOON = { renewMs: 10_000, deadMs: 40_000 };

function mailbox(): WrittenObject {
  const written = new WrittenObject('ada');
  written.put('inbox', { kind: 'mail-folder', name: 'Inbox', parentId: null, contents: {} });
  for (let at = 0; at < 5; at += 1)
    written.put(`m${at}`, {
      kind: 'message',
      name: `${at}`,
      parentId: 'inbox',
      contents: { mime: Buffer.from(`${at}`) },
    });
  return written;
}

test('another worker goes on within a minute with an object whose worker died, and nothing is doubled', async () => {
  const { store, catalog } = await database.parts();
  const aging = new AgingStore(store);
  const options = { passwordCost: CHEAP, lockTimes: SOON };
  const repository = await openRepository(aging, PASSWORD, options);
  const job = { id: 'job', name: 'Job', selection: EVERYTHING };
  const { signal } = new AbortController();
  // The first worker stops for good in the middle of the mailbox; its machine cannot be asked whether it lives.
  const hanging = mailbox();
  const reached = Promise.withResolvers<void>();
  hanging.script = [
    () => {
      reached.resolve();
      return new Promise(() => undefined);
    },
  ];
  void backUp({ repository, catalog, source: new WrittenSource(hanging), signal }, job).catch(() => undefined);
  await reached.promise;
  const other = await openRepository(aging, PASSWORD, options);
  const source = new WrittenSource(mailbox());
  const meanwhile = await backUp({ repository: other, catalog, source, signal }, job);
  expect(meanwhile.findings.failures[0]?.message).toMatch(/Another run is working on this object/);
  await aging.ageLocks(SOON.deadMs + 1_000);
  const result = await backUp({ repository: other, catalog, source: new WrittenSource(mailbox()), signal }, job);
  expect(result).toMatchObject({ outcome: 'Success', counts: { itemsRead: 6 } });
  expect(SOON.deadMs).toBeLessThan(60_000);
});
