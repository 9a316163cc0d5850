import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChunkRange, StoredContent } from '../../model/items.ts';
import { gathered } from '../../testing/gathered.ts';
import { KnownPacks } from '../../testing/known-packs.ts';
import { Random } from '../../testing/random.ts';
import { CHEAP, PASSWORD, SMALL_CHUNKS, testStore } from '../../testing/test-parts.ts';
import { inPieces } from '../../testing/written-source.ts';
import { encodeLines } from '../base64-lines.ts';
import type { ChunkPlace, StoredPack } from '../commit.ts';
import { compressChunk } from '../compression.ts';
import { createRepository, openRepository } from '../open-repository.ts';
import type { NewContent, Repository } from '../repository.ts';

const HEADER = { kind: 'backup', job: 'job', jobName: 'Job', organizationId: 'o' } as const;
const random = new Random(5);

async function bed(chunkSizes?: typeof SMALL_CHUNKS) {
  const { store, folder } = await testStore();
  const repository = await createRepository(store, PASSWORD, {
    passwordCost: CHEAP,
    ...(chunkSizes && { chunkSizes }),
  });
  const index = new KnownPacks();
  const run = await repository.startRun(HEADER, index);
  const packs: StoredPack[] = [];
  return {
    folder,
    repository,
    run,
    packs,
    async commit() {
      const commit = await run.commit({});
      packs.push(...commit.packs);
      index.add(commit.packs);
    },
    async write(...contents: NewContent[]): Promise<StoredContent[]> {
      const stored = await run.write(contents);
      await this.commit();
      return stored;
    },
    open: () => openRepository(store, PASSWORD, { passwordCost: CHEAP }),
    /** @param reader one that was opened for it: it gives what is in the store, not what another one read before */
    async read(content: StoredContent | undefined, reader?: Repository): Promise<Buffer> {
      if (content === undefined) throw new Error('There is no such content.');
      return Buffer.concat(await gathered((reader ?? (await this.open())).read(content, index)));
    },
  };
}

const segmentsOf = (content: StoredContent | undefined) =>
  content !== undefined && 'segments' in content ? (content.segments as readonly ChunkRange[]) : [];

async function* stream(bytes: Buffer) {
  yield* inPieces(bytes);
}

test('contents of all sizes come back, given at once or in odd pieces, and cut alike either way', async () => {
  const at = await bed();
  const min = 262_144;
  for (const size of [0, 1, 63, 64, 16_384, min - 1, min, min + 1, 2 * min, 4_194_304, 4_194_305, 10_000_000]) {
    const bytes = random.bytes(size);
    const whole = await at.write({ name: 'file', bytes });
    const streamed = await at.write({ name: 'file', bytes: stream(bytes) });
    expect((await at.read(whole[0])).equals(bytes)).toBe(true);
    expect(streamed).toEqual(whole);
    expect(whole[0]?.sizeBytes).toBe(size);
  }
  await at.run.abandon();
}, 30_000);

test('a content of more segments than fit beside it has them in a list, and comes back', async () => {
  const at = await bed(SMALL_CHUNKS);
  const bytes = random.bytes(3_000_000);
  const [content] = await at.write({ name: 'file', bytes: stream(bytes) });
  expect(content).toHaveProperty('list');
  expect((await at.read(content)).equals(bytes)).toBe(true);
  await at.run.abandon();
});

test('equal attachments of different messages are stored once, and each message comes back byte for byte', async () => {
  const at = await bed(SMALL_CHUNKS);
  const attachment = random.bytes(40_000);
  const mails = [76, 76, 64].map((base64, mail) =>
    Buffer.concat([
      Buffer.from(`Subject: ${'x'.repeat(mail * 7)}\r\n\r\n--b\r\n\r\n`),
      encodeLines(attachment, { base64, end: mail === 1 ? 'lf' : 'crlf' }),
      Buffer.from('\r\n--b--\r\n'),
    ]),
  );
  await at.write({ name: 'mime', bytes: mails[0] ?? Buffer.alloc(0) });
  const afterFirst = at.run.bytesStored;
  for (const bytes of mails) {
    for (const given of [bytes, stream(bytes)]) {
      const [content] = await at
        .write({ name: 'properties', bytes: random.bytes(10) }, { name: 'mime', bytes: given })
        .then((all) => all.slice(1));
      expect((await at.read(content)).equals(bytes)).toBe(true);
    }
  }
  expect(at.run.bytesStored - afterFirst).toBeLessThan(attachment.length / 4);
  await at.run.abandon();
});

test('the same bytes are packed once, however often they come before the commit and after it', async () => {
  const at = await bed();
  const bytes = random.bytes(50_000);
  await Promise.all(Array.from({ length: 20 }, () => at.run.write([{ name: 'file', bytes }])));
  await at.commit();
  await at.write({ name: 'file', bytes });
  expect(at.packs.flatMap(({ chunks }) => chunks)).toHaveLength(1);
  await at.run.abandon();
});

test('a source that breaks off leaves the run usable, and its error is passed on as it is', async () => {
  const at = await bed();
  const broken = async function* () {
    yield random.bytes(300_000);
    throw new Error('broke off');
  };
  await expect(at.run.write([{ name: 'file', bytes: broken() }])).rejects.toThrow('broke off');
  const [content] = await at.write({ name: 'file', bytes: Buffer.from('whole') });
  expect((await at.read(content)).toString()).toBe('whole');
  await at.run.abandon();
});

test('a changed, cut or missing pack is named with the chunks lost with it, and what is also in another pack is read from there', async () => {
  const at = await bed(SMALL_CHUNKS);
  const text = Buffer.from('what shrinks is in another group '.repeat(20));
  const [one, two, three] = await at.write(
    { name: 'file', bytes: random.bytes(5_000) },
    { name: 'export', bytes: random.bytes(900) },
    { name: 'mime', bytes: text },
  );
  const [pack] = at.packs;
  if (pack === undefined || one === undefined) throw new Error('Nothing was packed.');
  expect(await at.repository.checkPack(pack)).toEqual({ damagedChunks: [], fault: null });
  const path = join(at.folder, 'packs', pack.name.slice(0, 2), pack.name);
  const bytes = await readFile(path);
  const groups = [...Map.groupBy(pack.chunks, ({ offset }) => offset)];
  expect(groups).toHaveLength(2);
  for (const [offset, members] of groups) {
    const flipped = Buffer.from(bytes);
    flipped[offset + 5] = (flipped[offset + 5] ?? 0) ^ 1;
    await writeFile(path, flipped);
    expect(await at.repository.checkPack(pack)).toEqual({
      damagedChunks: members.map(({ id }) => id),
      fault: 'its bytes were changed',
    });
    for (const content of [one, three]) {
      const isLost = segmentsOf(content).some(([id]) => members.some((member) => member.id === id));
      if (isLost) await expect(at.read(content)).rejects.toMatchObject({ code: 'damaged' });
    }
  }
  await truncate(path, 40);
  const cut = await at.repository.checkPack(pack);
  expect(cut.damagedChunks).toEqual(pack.chunks.map(({ id }) => id));
  expect(cut.fault).toMatch(/has 40 bytes instead of/);
  await expect(at.read(one)).rejects.toMatchObject({ code: 'damaged' });
  await writeFile(path, bytes);
  expect(await at.read(three)).toEqual(text);
  await at.run.copyChunks(pack.chunks.map(({ id }) => id));
  await at.commit();
  await at.repository.deletePack(pack.name);
  expect(await at.repository.checkPack(pack)).toMatchObject({ fault: 'it is not in the store' });
  expect((await at.read(one)).length + (await at.read(two)).length).toBe(5_900);
  await at.run.abandon();
});

test('small chunks are stored in groups, text apart from what does not shrink, and a large one alone', async () => {
  const at = await bed();
  const texts = Array.from({ length: 100 }, (_, number) =>
    Buffer.from(Array.from({ length: 800 }, (_, word) => `word${(number * 31 + word * 17) % 900} `).join('')),
  );
  const pictures = Array.from({ length: 10 }, () => random.bytes(9_000));
  const large = random.bytes(200_000);
  const stored: StoredContent[] = [];
  for (const bytes of [...texts, ...pictures, large]) stored.push(...(await at.run.write([{ name: 'file', bytes }])));
  await at.commit();
  const groups = Map.groupBy(
    at.packs.flatMap(({ chunks }) => chunks),
    ({ offset }) => offset,
  );
  expect([...groups.values()].map((members) => members.length).sort((one, other) => one - other)).toEqual([
    1,
    10,
    ...Array.from({ length: 3 }, () => expect.any(Number)),
  ]);
  const plain = texts.reduce((sum, { length }) => sum + length, 0);
  const together = [...groups.values()]
    .filter(([first]) => first?.isCompressed)
    .map(([first]) => first?.storedBytes ?? 0);
  const alone = texts.reduce((sum, text) => sum + compressChunk(text).bytes.length, 0);
  expect(together.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(alone / 2);
  expect(alone).toBeLessThan(plain);
  for (const [number, bytes] of [...texts, ...pictures, large].entries())
    expect((await at.read(stored[number])).equals(bytes)).toBe(true);
  for (const pack of at.packs) expect(await at.repository.checkPack(pack)).toEqual({ damagedChunks: [], fault: null });
  await at.run.abandon();
});

test('chunks of a group are read with one request to the store, but for who asks whether they can be read', async () => {
  const at = await bed(SMALL_CHUNKS);
  const contents = await at.write(
    { name: 'file', bytes: random.bytes(900) },
    { name: 'export', bytes: random.bytes(900) },
    { name: 'mime', bytes: random.bytes(900) },
  );
  const [pack] = at.packs;
  const path = join(at.folder, 'packs', pack?.name.slice(0, 2) ?? '', pack?.name ?? '');
  const bytes = await readFile(path);
  const reader = await at.open();
  expect(await at.read(contents[0], reader)).toHaveLength(900);
  await writeFile(path, Buffer.alloc(bytes.length));
  for (const content of contents) expect(await at.read(content, reader)).toHaveLength(900);
  const [{ id = '', ...place } = {}] = pack?.chunks ?? [];
  const places = [{ ...place, pack: pack?.name }] as ChunkPlace[];
  expect(await at.repository.hasChunk(id, places)).toBe(false);
  await writeFile(path, bytes);
  expect(await at.repository.hasChunk(id, places)).toBe(true);
  await at.run.abandon();
});

test('objects in the store reveal nothing of their contents without the key', async () => {
  const at = await bed();
  const secret = Buffer.from('a secret that is nowhere in the clear '.repeat(100));
  await at.write({ name: 'file', bytes: secret });
  const files = await readdir(at.folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile()))
    expect((await readFile(join(file.parentPath, file.name))).includes('a secret')).toBe(false);
  await at.run.abandon();
});
