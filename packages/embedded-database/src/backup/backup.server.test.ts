import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { Client } from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EmbeddedDatabase } from '../embedded-database.ts';
import { makeTemporaryFolder } from '../temporary-folder.ts';
import { databaseFolder, query, startForTest, startOtherProgram, testFolder } from '../test-folder.fixture.ts';
import { restoreBackup } from './restore-backup.ts';
import { takeBackup } from './take-backup.ts';

const PROGRAM = '2.2.14';
const quiet = () => undefined;

const backUp = (
  dataDir: string,
  file: string,
  more: { secret?: string; previousSecret?: string; keys?: string[] } = {},
) => takeBackup({ dataDir, file, program: PROGRAM, log: quiet, ...more });

const restore = (file: string, dataDir: string, more: { replace?: boolean; program?: string } = {}) =>
  restoreBackup({ file, dataDir, program: PROGRAM, replace: false, log: quiet, ...more });

/** Inserts numbers one by one, each committed, until it is asked to end; resolves with the last one that was acknowledged. */
function keepInserting(database: EmbeddedDatabase) {
  let isEnding = false;
  let last = 0;
  const done = (async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    for (; !isEnding; last += 1) await client.query('insert into numbers values ($1)', [last + 1]);
    await client.end();
  })();
  return {
    last: () => last,
    end: async () => {
      isEnding = true;
      await done;
    },
  };
}

describe('a backup', () => {
  test('of a running database under load contains every number acknowledged before it began, and no gap', async () => {
    const folder = await testFolder();
    const database = await startForTest(folder, { durable: true });
    await query(
      database.url,
      `create table numbers as select 0 as n; create table large as select repeat(md5(n::text), 100) as text from generate_series(1, 20000) n`,
    );
    const inserting = keepInserting(database);
    await expect.poll(inserting.last).toBeGreaterThan(50);
    const acknowledged = inserting.last();
    const file = join(folder, 'first.backup');
    await backUp(folder, file);
    const after = inserting.last();
    await inserting.end();
    expect(after).toBeGreaterThan(acknowledged);

    const other = await testFolder();
    await restore(file, other);
    const restored = await startForTest(other, { durable: true });
    const [row] = await query(
      restored.url,
      `select max(n) as last, count(*)::int as count, (select count(*)::int from large) as large,
        current_setting('data_checksums') as checksums from numbers`,
    );
    expect(row).toMatchObject({ large: 20_000, count: Number(row?.['last']) + 1, checksums: 'on' });
    expect(Number(row?.['last'])).toBeGreaterThanOrEqual(acknowledged);
    await query(restored.url, 'insert into numbers values (-1)');
  }, 120_000);

  test('of a database whose program does not run starts it for that alone', async () => {
    const folder = await databaseFolder();
    const database = await startForTest(folder);
    await query(database.url, 'create table numbers as select 42 as n');
    await database.stop();
    const file = join(folder, 'b');
    await backUp(folder, file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await restore(file, join(folder, 'restored'));
    const restored = await startForTest(join(folder, 'restored'));
    expect(await query(restored.url, 'select n from numbers')).toEqual([{ n: 42 }]);
    const again = await startForTest(folder);
    expect(await query(again.url, 'select n from numbers')).toEqual([{ n: 42 }]);
  }, 60_000);

  test('of another process is made from its running server', async () => {
    const folder = await databaseFolder();
    const { line: url } = await startOtherProgram(folder);
    await query(url, 'create table numbers as select 42 as n');
    await backUp(folder, join(folder, 'b'));
    await restore(join(folder, 'b'), join(folder, 'restored'));
    const restored = await startForTest(join(folder, 'restored'));
    expect(await query(restored.url, 'select n from numbers')).toEqual([{ n: 42 }]);
  }, 60_000);

  test('writes over no file, and says so where there is no database', async () => {
    const folder = await databaseFolder();
    await startForTest(folder);
    await writeFile(join(folder, 'b'), 'precious');
    await expect(backUp(folder, join(folder, 'b'))).rejects.toThrow(/is there already/);
    expect(await readFile(join(folder, 'b'), 'utf8')).toBe('precious');
    await expect(backUp(join(folder, 'elsewhere'), join(folder, 'c'))).rejects.toThrow(/There is no database in/);
    await expect(backUp(folder, join(folder, 'lacking', 'd'))).rejects.toThrow(/Cannot write .*lacking\/d \(ENOENT\)/);
    expect((await readdir(folder)).filter((name) => /unfinished|^c$/.test(name))).toEqual([]);
  });
});

describe('a restore', () => {
  let file: string;
  let bytes: Buffer;

  beforeAll(async () => {
    const folder = await makeTemporaryFolder('keepwatch-backup-');
    const { startEmbeddedDatabase } = await import('../embedded-database.ts');
    const database = await startEmbeddedDatabase({ dataDir: folder, durable: false, log: quiet });
    await query(database.url, 'create table numbers as select 42 as n');
    file = join(folder, 'whole');
    await backUp(folder, file, { secret: 'the key', previousSecret: 'the key before', keys: ['01', '02'] });
    await database.stop();
    bytes = await readFile(file);
    return () => import('node:fs/promises').then(({ rm }) => rm(folder, { recursive: true, force: true }));
  });

  /** A copy of the backup that `change` has damaged. */
  async function damaged(change: (copy: Buffer) => Buffer): Promise<string> {
    const folder = await testFolder();
    const path = join(folder, 'damaged');
    await writeFile(path, change(Buffer.from(bytes)));
    return path;
  }

  test.each([
    ['cut by one byte', (copy: Buffer) => copy.subarray(0, -1)],
    ['cut in the middle', (copy: Buffer) => copy.subarray(0, copy.length / 2)],
    ['cut to its first line', (copy: Buffer) => copy.subarray(0, copy.indexOf('\n') + 1)],
    [
      'changed in one bit',
      (copy: Buffer) =>
        copy.fill((copy[(copy.length / 2) | 0] ?? 0) ^ 1, (copy.length / 2) | 0, ((copy.length / 2) | 0) + 1),
    ],
    [
      'changed in its first line',
      (copy: Buffer) =>
        Buffer.concat([
          Buffer.from(copy.toString('latin1', 0, copy.indexOf('\n')).replace('the key', 'THE KEY'), 'latin1'),
          copy.subarray(copy.indexOf('\n')),
        ]),
    ],
    ['longer by one byte', (copy: Buffer) => Buffer.concat([copy, Buffer.from([0])])],
  ])('refuses a file that was %s, with one line, and leaves the folder empty', async (_, change) => {
    const folder = await testFolder();
    const refused = restore(await damaged(change), folder);
    await expect(refused).rejects.toThrow(/^[^\n]*was cut off or changed since it was written[^\n]*$/);
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([
    ['an empty file', '', /is not a backup of Keepwatch/],
    ['a text', 'some text\n'.repeat(100), /is not a backup of Keepwatch/],
    ['a later format', `${JSON.stringify({ kind: 'keepwatch backup', format: 2 })}\n`, /made by a newer version/],
  ])('refuses %s', async (_, content, message) => {
    const folder = await testFolder();
    await writeFile(join(folder, 'b'), content);
    await expect(restore(join(folder, 'b'), join(folder, 'data'))).rejects.toThrow(message);
    await expect(restore(join(folder, 'lacking'), join(folder, 'data'))).rejects.toThrow(/There is no file/);
    expect(await readdir(folder)).toEqual(['b']);
  });

  test('refuses a backup of a newer program or another PostgreSQL, and accepts one of an older program', async () => {
    const folder = await testFolder();
    await expect(restore(file, folder, { program: '2.2.9' })).rejects.toThrow(
      /made by version 2\.2\.14, this program is 2\.2\.9/,
    );
    const other = await damaged((copy) => {
      const line = copy.toString('utf8', 0, copy.indexOf('\n')).replace('"postgres":"18"', '"postgres":"17"');
      const content = Buffer.concat([Buffer.from(line), copy.subarray(copy.indexOf('\n'), -32)]);
      return Buffer.concat([content, createHash('sha256').update(content).digest()]);
    });
    await expect(restore(other, folder)).rejects.toThrow(/PostgreSQL 17, this program carries 18/);
    await restore(file, folder, { program: '2.10.0' });
    expect(await query((await startForTest(folder)).url, 'select n from numbers')).toEqual([{ n: 42 }]);
  });

  test('brings the key back, and gives the superuser a new password that only this folder has', async () => {
    const folder = await testFolder();
    const { header } = await restore(file, folder);
    expect(header.keys).toEqual(['01', '02']);
    expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('the key');
    expect(await readFile(join(folder, 'secret.previous'), 'utf8')).toBe('the key before');
    for (const name of ['secret', 'secret.previous']) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    const database = await startForTest(folder);
    expect(new URL(database.superuserUrl).password).toBe(
      (await readFile(join(folder, 'database-password'), 'utf8')).trim(),
    );
  });

  test('refuses a folder with a database unless asked to replace it, which moves the old one aside', async () => {
    const folder = await databaseFolder();
    const database = await startForTest(folder);
    await query(database.url, 'create table before as select 1 as one');
    await expect(restore(file, folder, { replace: true })).rejects.toThrow(/Another Keepwatch/);
    await database.stop();
    await expect(restore(file, folder)).rejects.toThrow(/is not empty \(postgres, database-password\).*--replace/);
    const { replaced } = await restore(file, folder, { replace: true });
    const restored = await startForTest(folder);
    expect(await query(restored.url, 'select n from numbers')).toEqual([{ n: 42 }]);
    await restored.stop();
    expect((await readdir(replaced ?? '')).sort()).toEqual(['database-password', 'postgres']);
  }, 60_000);

  test('that fails on its way gives the folder back the database that it had', async () => {
    const folder = await databaseFolder();
    const database = await startForTest(folder);
    await query(database.url, 'create table before as select 1 as one');
    await database.stop();
    const archive = Buffer.from(zstdCompressSync(Buffer.alloc(1_000)));
    const content = Buffer.concat([bytes.subarray(0, bytes.indexOf('\n') + 1), archive]);
    const broken = join(folder, 'broken');
    await writeFile(broken, Buffer.concat([content, createHash('sha256').update(content).digest()]));
    await expect(restore(broken, folder, { replace: true })).rejects.toThrow();
    expect((await readdir(folder)).filter((name) => name.startsWith('replaced-'))).toEqual([]);
    const again = await startForTest(folder);
    expect(await query(again.url, 'select one from before')).toEqual([{ one: 1 }]);
  }, 60_000);

  test('refuses another key than the one that was put there, and leaves an equal one', async () => {
    const folder = await testFolder();
    await writeFile(join(folder, 'secret'), 'another key');
    await expect(restore(file, folder)).rejects.toThrow(/is not empty \(secret\)/);
    await writeFile(join(folder, 'secret'), 'the key\n');
    await writeFile(join(folder, 'secret.previous'), 'another key');
    await expect(restore(file, folder)).rejects.toThrow(/is not empty \(secret\.previous\)/);
    await writeFile(join(folder, 'secret.previous'), 'the key before');
    await restore(file, folder);
    expect((await readFile(join(folder, 'secret'), 'utf8')).trim()).toBe('the key');
  });
});
