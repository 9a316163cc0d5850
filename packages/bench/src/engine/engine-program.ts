import { backUp } from '@keepwatch/engine/backup/backup';
import { locatedIndex } from '@keepwatch/engine/catalog/located-ahead';
import { openCatalog } from '@keepwatch/engine/catalog/postgres/open-catalog';
import type { StoredContent } from '@keepwatch/engine/model/items';
import { createRepository, openRepository } from '@keepwatch/engine/repository/open-repository';
import type { Source } from '@keepwatch/engine/source/source';
import { openFolderStore } from '@keepwatch/engine/store/folder/folder-store';
import { FolderSource } from './folder-source.ts';
import { MadeSource } from './made-source.ts';

/**
 * The engine as a program of its own, as the others are: `create|backup|read <repository> <database> <source>`, the source being a folder,
 * or `made:drive:<MB>` and `made:mail:<messages>`. Prints what it took as a line of JSON; memory is the most that the process ever had.
 */
const [what = '', folder = '', url = '', from = ''] = process.argv.slice(2);
const password = 'the password of the benchmark';
const store = await openFolderStore(folder);
const repository = await (what === 'create' ? createRepository : openRepository)(store, password);
const catalogs = await openCatalog(url);
const catalog = await catalogs.repository(repository.id);
const CONTENTS_A_PAGE = 1_000;
const signal = new AbortController().signal;
let bytes = 0;
if (what === 'backup') {
  const selection = {
    scope: 'everything',
    kinds: ['mailbox', 'drive'],
    include: [],
    exclude: [],
    personalSites: false,
  } as const;
  const job = { id: 'bench', name: 'Bench', selection };
  const { outcome, counts } = await backUp({ repository, catalog, source: sourceOf(from), signal }, job);
  if (outcome !== 'Success') throw new Error(`The backup ended as ${outcome}.`);
  bytes = counts.bytesRead;
} else if (what === 'read') {
  for await (const { key, revision } of catalog.listObjects()) {
    let page: StoredContent[] = [];
    for await (const { contents } of catalog.walk(key, revision, null)) {
      page.push(...contents);
      if (page.length < CONTENTS_A_PAGE) continue;
      bytes += await read(page);
      page = [];
    }
    bytes += await read(page);
  }
}
await catalogs.close();
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const reported = { bytes, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, memoryMegabytes: (maxRSS * 1_024) / 1e6 };
process.stdout.write(`${JSON.stringify(reported)}\n`);

function sourceOf(given: string): Source {
  const [made, kind, size] = given.split(':');
  return made === 'made'
    ? new MadeSource(kind === 'mail' ? 'mailbox' : 'drive', Number(size))
    : new FolderSource(given);
}

/** Some contents, their chunks looked up at once. */
async function read(contents: readonly StoredContent[]): Promise<number> {
  const index = await locatedIndex(catalog, contents);
  let sum = 0;
  for (const content of contents) for await (const part of repository.read(content, index)) sum += part.length;
  return sum;
}
