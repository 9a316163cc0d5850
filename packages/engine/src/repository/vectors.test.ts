import { argon2Sync, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';

/**
 * A reader written from docs/repository-format.md alone: it shares no code with the engine, and reads the small repository in
 * `vectors/repository`, whose contents `vectors/contents.json` lists. So the document says all that a stranger needs.
 */
const ROOT = join(import.meta.dirname, 'vectors', 'repository');
const EXPECTED = JSON.parse(readFileSync(join(ROOT, '..', 'contents.json'), 'utf8'));
const PASSWORD = 'the password of the vectors';

const file = (name: string) => readFileSync(join(ROOT, name));
const json = (name: string) => JSON.parse(file(name).toString());
const hkdf = (key: Buffer, salt: Buffer, info: string) => Buffer.from(hkdfSync('sha256', key, salt, info, 32));

// 2 and 3: identity and keys.
const { id: repository } = json('keepwatch-repository');
const repositoryKey = openKey();
const encryption = hkdf(repositoryKey, Buffer.alloc(0), 'keepwatch encryption');
const chunkNames = hkdf(repositoryKey, Buffer.alloc(0), 'keepwatch chunk names');

function openKey(): Buffer {
  const [name] = readdirSync(join(ROOT, 'keys'));
  const key = json(`keys/${name}`);
  const derived = argon2Sync('argon2id', {
    message: Buffer.from(PASSWORD.normalize('NFC')),
    nonce: Buffer.from(key.salt, 'base64url'),
    memory: key.memoryKiB,
    passes: key.passes,
    parallelism: key.lanes,
    tagLength: 32,
  });
  return open(
    derived,
    Buffer.from(key.nonce, 'base64url'),
    `keepwatch-key${repository}`,
    Buffer.from(key.wrapped, 'base64url'),
  );
}

/** AES-256-GCM: ciphertext, then a tag of 16 bytes. */
function open(key: Buffer, nonce: Buffer, bound: string | Buffer, sealed: Buffer): Buffer {
  const cipher = createDecipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(bound));
  cipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
}

// 4: sealed objects.
type Line = { type: string; [member: string]: unknown };

function sealedLines(name: string): Line[] {
  const bytes = file(name);
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from('KWSEAL\x01\x00', 'latin1'));
  const key = hkdf(encryption, bytes.subarray(8, 24), 'keepwatch sealed');
  const text = zstdDecompressSync(open(key, Buffer.alloc(12), name, bytes.subarray(24))).toString();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** How chunks are stored: compressed (1), and in a group (2). */
const kinds = new Set<number>();

// 5: packs. Every chunk of every pack, by the directory at its end.
function chunksOf(name: string): Map<string, Buffer> {
  const bytes = file(name);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(name.split('/')[2]);
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from('KWPACK\x01\x00', 'latin1'));
  expect(bytes.subarray(-4).toString()).toBe('KWPE');
  const key = hkdf(encryption, bytes.subarray(8, 24), 'keepwatch pack');
  const start = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  const directory = open(key, nonce(start), 'directory', bytes.subarray(start, -8));
  const chunks = new Map<string, Buffer>();
  for (let at = 0; at < directory.length; at += 33) {
    const id = directory.subarray(at, at + 16);
    const [offset, stored, plain] = [16, 20, 24].map((member) => directory.readUInt32LE(at + member)) as [
      number,
      number,
      number,
    ];
    const how = directory[at + 28] ?? 0;
    const isInGroup = (how & 2) !== 0;
    const body = open(key, nonce(offset), isInGroup ? 'group' : id, bytes.subarray(offset, offset + stored));
    const whole = (how & 1) === 0 ? body : zstdDecompressSync(body);
    const start = directory.readUInt32LE(at + 29);
    const chunk = isInGroup ? whole.subarray(start, start + plain) : whole;
    kinds.add(how);
    expect(chunk.length).toBe(plain);
    expect(createHmac('sha256', chunkNames).update(chunk).digest().subarray(0, 16)).toEqual(id);
    chunks.set(id.toString('base64url'), chunk);
  }
  return chunks;
}

function nonce(offset: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32LE(offset);
  return bytes;
}

// 7: contents.
type Range = [string, number, number];
type Segment = Range | { base64: number; end: string; of: Range[] };
interface Content {
  name: string;
  sizeBytes: number;
  segments?: Segment[];
  list?: Segment[];
}

function joined(chunks: Map<string, Buffer>, segments: Segment[]): Buffer {
  const range = ([chunk, start, length]: Range) =>
    (chunks.get(chunk) ?? Buffer.alloc(0)).subarray(start, start + length);
  const bytesOf = (segment: Segment) => {
    if (Array.isArray(segment)) return range(segment);
    const text = Buffer.concat(segment.of.map(range)).toString('base64');
    const lines = text.match(new RegExp(`.{1,${segment.base64}}`, 'g')) ?? [];
    return Buffer.from(lines.join(segment.end === 'crlf' ? '\r\n' : '\n'));
  };
  return Buffer.concat(segments.map(bytesOf));
}

function bytesOf(chunks: Map<string, Buffer>, { segments, list, sizeBytes }: Content): Buffer {
  const bytes = joined(chunks, segments ?? JSON.parse(joined(chunks, list ?? []).toString()));
  expect(bytes.length).toBe(sizeBytes);
  return bytes;
}

const NAMES = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(ROOT.length + 1)
      .replaceAll('\\', '/'),
  )
  .sort();

// 6: runs, each with the lines of all its commits.
const commits = NAMES.filter((name) => name.startsWith('journals/')).map((name) => {
  const [, run = '', file = ''] = name.split('/');
  const [sequence, form = '0'] = file.split('-');
  return { run, sequence: Number(sequence), form: Number(form), lines: sealedLines(name) };
});
const linesOf = (kind: string) =>
  [...Map.groupBy(commits, ({ run }) => run).values()]
    .map((all) => all.flatMap(({ lines }) => lines))
    .filter(([first]) => first?.type === 'run' && first['kind'] === kind);

test('a reader that knows the document alone reads the repository of the test vectors', () => {
  const chunks = new Map(NAMES.filter((name) => name.startsWith('packs/')).flatMap((name) => [...chunksOf(name)]));
  const items = new Map<string, { name: string; parent: string | null; contents: Content[] }>();
  for (const line of linesOf('backup').flat()) {
    if (line.type === 'put') items.set(String(line['item']), line as never);
    if (line.type === 'remove') items.delete(String(line['item']));
  }
  const found = [...items].map(([id, { name, parent, contents }]) => {
    const digests = contents.map((content) => [
      content.name,
      createHash('sha256').update(bytesOf(chunks, content)).digest('hex'),
    ]);
    return { id, name, parent, contents: Object.fromEntries(digests) };
  });
  expect(found).toEqual(EXPECTED.items);
  expect([...kinds].sort()).toEqual([1, 2, 3]);
  const ends = linesOf('backup').flatMap((lines) => lines.filter(({ type }) => type === 'end'));
  expect(ends.map(({ outcome, objects }) => ({ outcome, objects }))).toEqual(EXPECTED.restorePoints);
});

test('it sees by what runs say of each other that no commit is lost', () => {
  const there = new Set(commits.map(({ run, sequence }) => `${run} ${sequence}`));
  const named = commits.flatMap(({ lines }) =>
    lines.filter(({ type }) => type === 'run').flatMap(({ follows }) => follows as [string, number][]),
  );
  expect(named).toHaveLength(2);
  for (const [run, sequence] of named) expect(there).toContain(`${run} ${sequence}`);
});

test('it knows what a verify found damaged, and at which revision an object was given back', () => {
  const damaged = linesOf('verify').flatMap((lines) => lines.filter(({ type }) => type === 'damaged'));
  expect(damaged.map(({ pack, chunks }) => ({ pack, chunks }))).toEqual(EXPECTED.damage);
  const { key, revision } = EXPECTED.givenBack;
  const names = NAMES.filter((name) => name.startsWith('claims/'));
  const ends = linesOf('backup').flatMap((lines) => lines.filter(({ type }) => type === 'end'));
  const ended = names.map((name) => {
    const [, run, sequence] = /^claims\/(.{36})-ended-(\d{8})-0001$/.exec(name) ?? [];
    expect(commits.filter((commit) => commit.run === run).at(-1)?.sequence).toBe(Number(sequence));
    return sealedLines(name)[0];
  });
  expect(ended).toEqual(ends.slice(0, 2).map(({ objects }) => ({ objects })));
  expect(ended.at(-1)).toEqual({ objects: [[key, revision]] });
});

test('it finds nothing of what was erased but that it was: when, by whom and why', () => {
  const { key, revision, packs } = EXPECTED.erased;
  const lines = commits.flatMap((commit) => commit.lines.map((line) => ({ ...line, form: commit.form })));
  const sections = lines.filter((line) => line.type === 'object' && 'key' in line && line.key === key);
  expect(sections).toMatchObject([
    { revision: 1, id: '', name: '', address: null, form: 1 },
    { revision, id: '', name: '', address: null, form: 0 },
  ]);
  expect(lines.filter(({ type }) => type === 'erased')).toMatchObject([
    { by: 'Grace', reason: 'Request 17', items: 1 },
  ]);
  expect(lines.filter(({ type }) => type === 'erased-packs')).toMatchObject([{ names: packs }]);
  expect(JSON.stringify(lines)).not.toMatch(/"Bob"|bob@|Secret/);
});
