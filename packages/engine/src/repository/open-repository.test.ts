import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KnownPacks } from '../testing/known-packs.ts';
import { CHEAP, PASSWORD, testStore } from '../testing/test-parts.ts';
import { PASSWORD_COST } from './keys.ts';
import { createRepository, openRepository } from './open-repository.ts';

const OBJECT = { organizationId: 'o', kind: 'mailbox', id: 'i' } as const;

async function made() {
  const { store, folder } = await testStore();
  const repository = await createRepository(store, PASSWORD, { passwordCost: CHEAP });
  const open = (password: string) => openRepository(store, password, { passwordCost: CHEAP });
  return { store, folder, repository, open };
}

test('another password opens nothing, and the error says what to do', async () => {
  const { open } = await made();
  await expect(open('another password')).rejects.toMatchObject({ code: 'wrong-password' });
  await expect(open(PASSWORD)).resolves.toMatchObject({});
});

test('a password in another form of the same letters is the same password', async () => {
  const { store } = await testStore();
  await createRepository(store, 'Passwörter'.normalize('NFD'), { passwordCost: CHEAP });
  await expect(openRepository(store, 'Passwörter'.normalize('NFC'))).resolves.toMatchObject({});
});

test('repositories that are opened at once have the memory of one password together', async () => {
  const beforeBytes = process.memoryUsage.rss();
  let mostBytes = 0;
  const sampling = setInterval(() => {
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
  }, 5);
  const { store } = await testStore();
  await createRepository(store, PASSWORD);
  await Promise.all(Array.from({ length: 4 }, () => openRepository(store, PASSWORD)));
  clearInterval(sampling);
  const oneBytes = PASSWORD_COST.memoryKiB * 1_024;
  // Memory is measured while the memory of one is in use, so that a run that measures nothing does not count.
  expect((mostBytes - beforeBytes) / oneBytes).toBeGreaterThan(0.5);
  expect((mostBytes - beforeBytes) / oneBytes).toBeLessThan(2);
});

test('a change of the password leaves the old one without effect, the key as it is and every other object untouched', async () => {
  const { folder, repository, open } = await made();
  const before = await contentsOf(folder);
  await repository.changePassword(PASSWORD, 'a new password');
  await expect(open(PASSWORD)).rejects.toMatchObject({ code: 'wrong-password' });
  expect((await open('a new password')).objectKey(OBJECT)).toBe(repository.objectKey(OBJECT));
  const after = await contentsOf(folder);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
  expect(changed.every((name) => name.startsWith('keys/'))).toBe(true);
  await expect(repository.changePassword(PASSWORD, 'whatever it is')).rejects.toMatchObject({ code: 'wrong-password' });
});

test('a key that was tampered with opens nothing, one that asks for absurd work is refused, and another key still opens', async () => {
  const { folder, repository, open } = await made();
  const [name = ''] = await readdir(join(folder, 'keys'));
  const path = join(folder, 'keys', name);
  const key = JSON.parse(await readFile(path, 'utf8'));
  const flipped = Buffer.from(key.wrapped, 'base64url');
  flipped[3] = (flipped[3] ?? 0) ^ 1;
  for (const [change, code] of [
    [{ wrapped: flipped.toString('base64url') }, 'wrong-password'],
    [{ wrapped: 'AAAA' }, 'damaged'],
    [{ memoryKiB: 2 ** 40 }, 'damaged'],
    [{ memoryKiB: 1 }, 'damaged'],
    [{ memoryKiB: 2 ** 20 + 1 }, 'damaged'],
    [{ memoryKiB: 2 ** 20, passes: 5 }, 'damaged'],
    [{ passes: 65_537 }, 'damaged'],
    [{ nonce: 'AAAA' }, 'damaged'],
  ] as const) {
    await writeFile(path, JSON.stringify({ ...key, ...change }));
    await expect(open(PASSWORD)).rejects.toMatchObject({ code });
  }
  await repository.addPassword('the other one', 'other');
  expect((await open('the other one')).objectKey(OBJECT)).toBe(repository.objectKey(OBJECT));
});

test('a bounded number of foreign keys is tried, and no more are written', async () => {
  const { folder, repository, open } = await made();
  const [name = ''] = await readdir(join(folder, 'keys'));
  const key = await readFile(join(folder, 'keys', name));
  for (let number = 0; number < 31; number += 1) await writeFile(join(folder, 'keys', `0-${number}`), key);
  await open(PASSWORD);
  await expect(repository.addPassword('one more password', 'more')).rejects.toMatchObject({ code: 'bad-request' });
  await writeFile(join(folder, 'keys', '0-31'), key);
  await expect(open('not the password')).rejects.toMatchObject({ code: 'damaged' });
});

test('what a stranger made larger than any object is refused before it is in memory', async () => {
  const { folder, repository, open, store } = await made();
  const run = await repository.startRun(
    { kind: 'backup', job: 'j', jobName: 'J', organizationId: 'o' },
    new KnownPacks(),
  );
  await run.commit({});
  await truncate(join(folder, 'journals', run.id, '00000001'), 2 ** 33);
  await expect(repository.findCommit(run.id, 1)).rejects.toMatchObject({ code: 'damaged' });
  await truncate(join(folder, 'keepwatch-repository'), 2 ** 33);
  await expect(open('another password')).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringMatching(/67108864 bytes/),
  });
  await expect(store.read('keepwatch-repository')).rejects.toMatchObject({ code: 'damaged', isRetryable: false });
  await run.abandon();
});

test('a place has one repository: a second creation is refused and leaves nothing behind', async () => {
  const { store, folder } = await made();
  const before = await contentsOf(folder);
  await expect(createRepository(store, PASSWORD, { passwordCost: CHEAP })).rejects.toMatchObject({
    code: 'repository-exists',
  });
  expect(await contentsOf(folder)).toEqual(before);
  await expect(createRepository((await testStore()).store, 'short')).rejects.toMatchObject({ code: 'bad-request' });
});

test('distinguishes a newer format, an empty place and a damaged identity', async () => {
  const { folder, open } = await made();
  const path = join(folder, 'keepwatch-repository');
  const identity = JSON.parse(await readFile(path, 'utf8'));
  for (const [text, code, message] of [
    [
      JSON.stringify({ ...identity, format: 3 }),
      'newer-repository',
      /has format 3; this version of Keepwatch knows format 2/,
    ],
    [JSON.stringify({ ...identity, format: 1 }), 'bad-request', /has format 1, which only versions before/],
    [JSON.stringify({ ...identity, chunker: { minBytes: 0 } }), 'damaged', /Restore it from a copy/],
    ['{', 'damaged', /Restore it from a copy/],
  ] as const) {
    await writeFile(path, text);
    await expect(open('another password')).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  }
  await expect(openRepository((await testStore()).store, PASSWORD)).rejects.toMatchObject({ code: 'no-repository' });
});

async function contentsOf(folder: string): Promise<Map<string, string>> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const contents = new Map<string, string>();
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    if (file.isFile()) contents.set(path.slice(folder.length + 1), await readFile(path, 'latin1'));
  }
  return contents;
}
