import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backUp } from '@keepwatch/engine/backup/backup';
import { type Located, locatedAhead } from '@keepwatch/engine/catalog/located-ahead';
import { openCatalog } from '@keepwatch/engine/catalog/postgres/open-catalog';
import { inOrder } from '@keepwatch/engine/model/in-order';
import { prefetched } from '@keepwatch/engine/model/prefetched';
import { createRepository, openRepository } from '@keepwatch/engine/repository/open-repository';
import type { Source } from '@keepwatch/engine/source/source';
import { openFolderStore } from '@keepwatch/engine/store/folder/folder-store';
import { FileWriter } from './file-writer.ts';
import { FolderSource } from './folder-source.ts';
import { MadeSource } from './made-source.ts';
import type { EngineReport } from './program.ts';

/**
 * The engine as a program of its own, as the others are: `create|backup|read|restore|open <repository> <database> <place>`. A backup is of the place: a
 * folder, or `made:drive:<MB>` and `made:mail:<messages>`. A restore writes all mail and files of the repository into that folder, a file each. `open`
 * shows the first page of the last restore point. Prints what it took as a line of JSON; memory is the most that the process ever had.
 */
const [what = '', folder = '', url = '', place = ''] = process.argv.slice(2);
const password = 'the password of the benchmark';
const store = await openFolderStore(folder);
const repository = await (what === 'create' ? createRepository : openRepository)(store, password);
const catalogs = await openCatalog(url);
const catalog = await catalogs.repository(repository.id);
const SMALL_BYTES = 2 ** 20;
const READ_AT_ONCE = 8;
const LOOKED_UP_AHEAD = 200;
const ROWS_A_PAGE = 100;
const signal = new AbortController().signal;
let bytes = 0;
let page: EngineReport['page'];
if (what === 'backup') {
  const selection = {
    scope: 'everything',
    kinds: ['mailbox', 'drive'],
    include: [],
    exclude: [],
    personalSites: false,
  } as const;
  const job = { id: 'bench', name: 'Bench', selection };
  const { outcome, counts } = await backUp({ repository, catalog, source: sourceOf(place), signal }, job);
  if (outcome !== 'Success') throw new Error(`The backup ended as ${outcome}.`);
  bytes = counts.bytesRead;
} else if (what === 'read') {
  for await (const { key, revision } of catalog.listObjects())
    for await (const { version, index } of locatedAhead(catalog, catalog.walk(key, revision, null)))
      for (const content of version.contents) bytes += await drained(repository.read(content, index));
} else if (what === 'restore') await restoreAll();
else if (what === 'open') page = await firstPage();
await catalogs.close();
const memoryMegabytes = (process.resourceUsage().maxRSS * 1_024) / 1e6;
process.stdout.write(`${JSON.stringify({ bytes, memoryMegabytes, page } satisfies EngineReport)}\n`);

function sourceOf(given: string): Source {
  const [made, kind, size] = given.split(':');
  return made === 'made'
    ? new MadeSource(kind === 'mail' ? 'mailbox' : 'drive', Number(size))
    : new FolderSource(given);
}

async function drained(parts: AsyncIterable<Uint8Array>): Promise<number> {
  let sum = 0;
  for await (const part of parts) sum += part.length;
  return sum;
}

/**
 * Reads as the export of mail does: item by item with the places of chunks looked up ahead, small ones while those before them are written. Writes a file
 * each, in the folders they were in.
 */
async function restoreAll(): Promise<void> {
  const writer = new FileWriter();
  const folders = new Set<string>();
  for await (const { key, revision, kind } of catalog.listObjects()) {
    const located = prefetched(locatedAhead(catalog, catalog.walk(key, revision, null)), LOOKED_UP_AHEAD);
    for await (const { path, parts, sizeBytes } of inOrder(located, READ_AT_ONCE, (one) => fileOf(one, kind))) {
      const folder = parts === null ? path : dirname(path);
      if (!folders.has(folder)) await mkdir(folder, { recursive: true });
      folders.add(folder);
      bytes += sizeBytes;
      if (Array.isArray(parts)) await writer.write(path, sizeBytes, parts);
      else if (parts !== null) await writeFile(path, parts);
    }
  }
  await writer.end();
}

/** Where an item is written, and its bytes: those of small ones at once; `null` of a folder. */
async function fileOf({ version, index }: Located, kind: string) {
  const path = join(place, kind, version.parentId ?? '', version.name);
  const content = version.contents.find(({ name }) => name === 'mime' || name === 'file');
  if (content === undefined) return { path, parts: null, sizeBytes: 0 };
  const { sizeBytes } = content;
  const parts = repository.read(content, index);
  return { path, parts: sizeBytes > SMALL_BYTES ? parts : await allOf(parts), sizeBytes };
}

async function allOf(parts: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

/** As a program opens a restore point: the newest one, and the first page of its objects. */
async function firstPage(): Promise<{ ms: number; megabytes: number }> {
  // From here on the kernel counts the most memory from zero.
  writeFileSync('/proc/self/clear_refs', '5');
  const before = mostMemory();
  const begun = performance.now();
  const [point] = await catalog.listRestorePoints({ limit: 1, offset: 0 });
  const { rows } = await catalog.findObjects({ restorePoints: [point?.run.id ?? ''], limit: ROWS_A_PAGE });
  const ms = performance.now() - begun;
  if (rows.length < ROWS_A_PAGE) throw new Error(`The page has ${rows.length} rows.`);
  return { ms, megabytes: (mostMemory() - before) / 1e6 };
}

/** See proc_pid_status(5). */
function mostMemory(): number {
  const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return Number(kilobytes) * 1_024;
}
