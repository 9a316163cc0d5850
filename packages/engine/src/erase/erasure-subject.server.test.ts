import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { erase, planErasure } from './erase.ts';

const database = useDatabase();
const ADDRESS = 'sales@contoso.example';

/** The mailbox of a user who left, and mailbox and drive of another one who has the address now. */
async function reusedAddress() {
  const parts = await database.parts();
  const mailbox = (id: string) => {
    const written = new WrittenObject(id);
    Object.assign(written.object, { address: ADDRESS });
    return written;
  };
  const drive = new WrittenObject('drive-1', 'drive');
  Object.assign(drive.object, { owner: 'user/second' });
  const all = [mailbox('first'), mailbox('second'), drive];
  for (const [index, written] of all.entries())
    written.put('a', { kind: 'message', name: 'A', parentId: null, contents: { mime: Buffer.from(`${index}`) } });
  for (const some of [all.slice(0, 1), all.slice(1)]) {
    const source = new WrittenSource(...some);
    const job = { id: 'job', name: 'Job', selection: EVERYTHING };
    await backUp({ ...parts, source, signal: new AbortController().signal }, job);
  }
  return parts;
}

test('an address that several users had erases none of them; each is named with kinds and last backup, and goes by id', async () => {
  const firstDay = new Date().toISOString().slice(0, 10);
  const { repository, catalog } = await reusedAddress();
  const request = {
    subject: { type: 'user', id: 'Sales@contoso.example' },
    reason: 'Request 17',
    by: 'Grace',
  } as const;
  // Midnight may pass between the backups and the question.
  const day = `(${firstDay}|${new Date().toISOString().slice(0, 10)})`;
  const plan = () => planErasure(repository, catalog, request.subject);
  for (const refused of [plan, () => erase(repository, catalog, request)])
    await expect(refused()).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringMatching(
        new RegExp(
          `2 users.*first \\(mailbox; last backup ${day}, no longer in the organization\\).*second \\(drive, mailbox; last backup ${day}\\).*id`,
        ),
      ),
    });
  expect(await catalog.listErasures()).toEqual([]);
  const erased = await erase(repository, catalog, { ...request, subject: { type: 'user', id: 'Second' } });
  expect(erased.objects.length).toBe(2);
  expect((await erase(repository, catalog, request)).objects.length).toBe(1);
});

test('an id goes before an address that is the same', async () => {
  const parts = await database.parts();
  const [one, other] = [new WrittenObject('x@contoso.example'), new WrittenObject('other')];
  Object.assign(other.object, { address: 'x@contoso.example' });
  for (const written of [one, other])
    written.put('a', { kind: 'message', name: 'A', parentId: null, contents: { mime: Buffer.from('A') } });
  const source = new WrittenSource(one, other);
  const job = { id: 'job', name: 'Job', selection: EVERYTHING };
  await backUp({ ...parts, source, signal: new AbortController().signal }, job);
  const plan = await planErasure(parts.repository, parts.catalog, { type: 'user', id: 'x@contoso.example' });
  expect(plan.objects.map(({ id }) => id)).toEqual(['x@contoso.example']);
});
