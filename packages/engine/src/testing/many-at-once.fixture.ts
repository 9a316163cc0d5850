import { createCipheriv, createHash } from 'node:crypto';
import { join } from 'node:path';
import { backUp, createRepository, downloadZip, openCatalog, openStore } from '../engine.ts';
import type { Item } from '../model/items.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { ReadRequest, Source, SourceContent, SourceEvent } from '../source/source.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { EVERYTHING } from './written-source.ts';

/**
 * A program that backs up several organizations at once and then reads all of them at once: `<folder> <database> <organizations> <stuck>`. The store
 * of the first one is stuck from its first pack on until all others have ended, where `stuck` says so. It prints one line of JSON.
 */
const [folder = '', url = '', count = '4', stuck = ''] = process.argv.slice(2);
const MB = 2 ** 20;
const { signal } = new AbortController();
const work = { signal, onEvent: () => undefined };

/** Large files and large messages, as a network gives them: nothing of them is in memory before it is asked for. */
class LargeSource implements Source {
  readonly organizationId: string;

  constructor(organizationId: string) {
    this.organizationId = organizationId;
  }

  async *listObjects(): AsyncGenerator<ProtectedObject> {
    const { organizationId } = this;
    for (const kind of ['drive', 'mailbox'] as const)
      for (const id of ['one', 'two'])
        yield { organizationId, kind, id, name: `${kind} ${id}`, owner: null, address: null };
  }

  async *read({ object }: ReadRequest): AsyncGenerator<SourceEvent> {
    const isDrive = object.kind === 'drive';
    const [items, sizeBytes] = isDrive ? [8, 6 * MB] : [3, 18 * MB];
    for (let at = 0; at < items; at += 1) {
      const id = `${object.kind} ${object.id} ${at}`;
      const kind = isDrive ? 'file' : 'message';
      const item: Item = { id, kind, parentId: null, name: id, sizeBytes, modifiedAt: null, details: {} };
      const open = () =>
        isDrive ? bytesOf(this.organizationId + id, sizeBytes) : mailOf(this.organizationId + id, sizeBytes);
      const content: SourceContent = { name: isDrive ? 'file' : 'mime', sizeBytes: isDrive ? sizeBytes : null, open };
      yield { type: 'item', item, contents: [content] };
    }
    yield { type: 'cursor', scope: 'all', value: 'read' };
  }

  async close(): Promise<void> {}
}

async function* bytesOf(seed: string, sizeBytes: number): AsyncGenerator<Buffer> {
  const cipher = createCipheriv('aes-128-ctr', createHash('md5').update(seed).digest(), Buffer.alloc(16));
  const zeros = Buffer.alloc(65_536);
  for (let at = 0; at < sizeBytes; at += zeros.length) yield cipher.update(zeros);
}

async function* mailOf(seed: string, sizeBytes: number): AsyncGenerator<Buffer> {
  const type = 'Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n';
  yield Buffer.from(`Subject: Large\r\n${type}`);
  let rest = Buffer.alloc(0);
  for await (const bytes of bytesOf(seed, sizeBytes)) {
    rest = Buffer.concat([rest, bytes]);
    const whole = rest.length - (rest.length % 57);
    yield Buffer.from(rest.toString('base64', 0, whole).replaceAll(/.{76}/g, '$&\r\n'));
    rest = rest.subarray(whole);
  }
  yield Buffer.from(`${rest.toString('base64')}\r\n`);
}

/** A store whose packs wait for something. */
function waiting(store: ObjectStore, until: Promise<void>): ObjectStore {
  const create: ObjectStore['create'] = async (name, ...given) => {
    if (name.startsWith('packs/')) await until;
    return store.create(name, ...given);
  };
  return new Proxy(store, {
    get(_, name) {
      if (name === 'create') return create;
      const member: unknown = Reflect.get(store, name, store);
      return typeof member === 'function' ? member.bind(store) : member;
    },
  });
}

let bufferBytes = 0;
setInterval(() => {
  bufferBytes = Math.max(bufferBytes, process.memoryUsage().arrayBuffers);
}, 20).unref();
const catalogs = await openCatalog(url);
const released = Promise.withResolvers<void>();
const organizations = await Promise.all(
  Array.from({ length: Number(count) }, async (_, at) => {
    const store = await openStore(join(folder, String(at)), {});
    const isStuck = stuck !== '' && at === 0;
    const repository = await createRepository(
      isStuck ? waiting(store, released.promise) : store,
      'the password of a test',
    );
    return { at, stored: { repository, catalog: await catalogs.repository(repository.id) } };
  }),
);
const begunMs = performance.now();
const ends: { at: number; ms: number; outcome: string }[] = [];
const backups = organizations.map(async ({ at, stored }) => {
  const job = { id: `job ${at}`, name: `Job ${at}`, selection: EVERYTHING };
  const { outcome } = await backUp(stored, new LargeSource(`organization ${at}`), { job }, work);
  ends.push({ at, ms: performance.now() - begunMs, outcome });
});
await Promise.all(stuck === '' ? backups : backups.slice(1));
released.resolve();
await Promise.all(backups);
const sizes = await Promise.all(
  organizations.flatMap(({ stored }) =>
    ['drive', 'mailbox'].map(async (kind) => {
      let bytes = 0;
      for await (const { kind: of, key, revision } of stored.catalog.listObjects()) {
        const object = await stored.catalog.object(key);
        if (of !== kind || object === null) continue;
        const zip = await downloadZip(stored, { object, revision, items: null }, signal);
        for await (const piece of zip.open()) bytes += piece.length;
      }
      return bytes;
    }),
  ),
);
await catalogs.close();
const peakBytes = process.resourceUsage().maxRSS * 1_024;
process.stdout.write(`${JSON.stringify({ ends, bufferBytes, peakBytes, bytes: sizes.reduce((a, b) => a + b, 0) })}\n`);
process.exit();
