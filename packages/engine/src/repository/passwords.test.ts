import { readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gathered } from '../testing/gathered.ts';
import { KnownPacks } from '../testing/known-packs.ts';
import { CHEAP, PASSWORD, testStore } from '../testing/test-parts.ts';
import { createRepository, openRepository } from './open-repository.ts';

const OBJECT = { organizationId: 'o', kind: 'mailbox', id: 'i' } as const;
const HEADER = { kind: 'backup', job: 'j', jobName: 'J', organizationId: 'o' } as const;

async function made() {
  const { store, folder } = await testStore();
  const create = () => createRepository(store, PASSWORD, { passwordCost: CHEAP });
  const open = (password = PASSWORD) => openRepository(store, password, { passwordCost: CHEAP });
  const idOf = async (label: string) =>
    (await (await open()).passwords()).find((one) => one.label === label)?.id ?? 'none';
  return { store, folder, create, open, idOf };
}

/** As a creation leaves a place that was killed between its two writes. */
async function killedCreation() {
  const bed = await made();
  await bed.create();
  await rm(join(bed.folder, 'keepwatch-repository'));
  const [foreign = ''] = await readdir(join(bed.folder, 'keys'));
  return { ...bed, foreign };
}

test('the key that a killed creation left is no password of the repository that was made after it', async () => {
  const { create, open, foreign, folder } = await killedCreation();
  await create();
  const repository = await open();
  expect(await repository.passwords()).toHaveLength(1);
  const [{ id } = { id: '' }] = await repository.passwords();
  expect(id).not.toBe(foreign);
  // It looks whole, but protects nothing.
  await expect(repository.removePassword(id)).rejects.toMatchObject({ code: 'bad-request' });
  await expect(repository.removePassword(foreign)).rejects.toMatchObject({ code: 'not-found' });
  expect(await readdir(join(folder, 'keys'))).toHaveLength(2);
  await open();
});

test('keys of other repositories do not count: any number of them leaves room for passwords and lets the own ones be found', async () => {
  const { store, folder, create, open } = await made();
  const repository = await create();
  const other = await testStore();
  await createRepository(other.store, PASSWORD, { passwordCost: CHEAP });
  const [name = ''] = await readdir(join(other.folder, 'keys'));
  const key = await other.store.read(`keys/${name}`);
  for (let number = 0; number < 40; number += 1) await writeFile(join(folder, 'keys', `0-${number}`), key);
  await repository.addPassword('the other one', 'other');
  expect((await open('the other one')).objectKey(OBJECT)).toBe(repository.objectKey(OBJECT));
  expect((await repository.passwords()).map(({ label }) => label).sort()).toEqual(['first', 'other']);
  expect((await gathered(store.list('keys/'))).length).toBe(42);
});

test('the password that opened the repository cannot be removed, whatever others there seem to be', async () => {
  const { create, open, idOf } = await made();
  const repository = await create();
  await repository.addPassword('the other one', 'other');
  await expect(repository.removePassword(await idOf('first'))).rejects.toMatchObject({
    code: 'bad-request',
    message: expect.stringMatching(/was opened with this password/),
  });
  const other = await open('the other one');
  await other.removePassword(await idOf('first'));
  await expect(open()).rejects.toMatchObject({ code: 'wrong-password' });
  await expect(other.removePassword((await other.passwords())[0]?.id ?? '')).rejects.toMatchObject({
    message: expect.stringMatching(/This is the only password/),
  });
  await other.changePassword('the other one', 'yet another one');
  const [{ id } = { id: '' }] = await other.passwords();
  await expect(other.removePassword(id)).rejects.toMatchObject({ code: 'bad-request' });
});

test.each(['cut', 'too long', 'another id', 'gone'])(
  'a repository opens when its identity object alone is %s, and reads and writes as before',
  async (damage) => {
    const { folder, create, open } = await made();
    const repository = await create();
    const index = new KnownPacks();
    const run = await repository.startRun(HEADER, index);
    const [content] = await run.write([{ name: 'file', bytes: Buffer.from('bytes') }]);
    index.add((await run.commit({})).packs);
    await run.abandon();
    const path = join(folder, 'keepwatch-repository');
    if (damage === 'cut') await truncate(path, 40);
    else if (damage === 'too long') await truncate(path, 2 ** 33);
    else if (damage === 'another id') await writeFile(path, '{"product":"keepwatch-repository","format":2,"id":3}');
    else await rm(path);
    const opened = await open();
    expect([opened.id, opened.objectKey(OBJECT)]).toEqual([repository.id, repository.objectKey(OBJECT)]);
    expect(await opened.findCommit(run.id, 1)).not.toBeNull();
    if (content === undefined) throw new Error('Nothing was written.');
    expect(Buffer.concat(await gathered(opened.read(content, index))).toString()).toBe('bytes');
    const next = await opened.startRun(HEADER, index);
    expect(await next.write([{ name: 'file', bytes: Buffer.from('bytes') }])).toEqual([content]);
    await next.abandon();
    await expect(open('not the password')).rejects.toMatchObject({
      code: damage === 'gone' ? 'no-repository' : 'damaged',
    });
    // No other repository is created over it.
    await expect(create()).rejects.toMatchObject({ code: 'repository-exists' });
  },
);
