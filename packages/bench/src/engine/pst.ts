import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { backUp } from '@keepwatch/engine/backup/backup';
import type { RepositoryCatalog } from '@keepwatch/engine/catalog/catalog';
import { locatedAhead } from '@keepwatch/engine/catalog/located-ahead';
import { exportPst } from '@keepwatch/engine/export/pst-export';
import type { Repository } from '@keepwatch/engine/repository/repository';
import { printTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import { timeInTurn } from '../timing.ts';
import type { Bench } from './bench-repository.ts';
import { MAILBOX, writeDataset } from './dataset.ts';
import { FolderSource } from './folder-source.ts';

const SHARE_MIN = 0.5;
const ROUNDS = 5;

/** A mailbox as PST, against the same items read from the repository and written to one plain file. */
export async function benchPst(bench: Bench, targets: Targets): Promise<void> {
  const { repository, catalog } = await bench.repository();
  await fill(bench, repository, catalog);
  const largest = await largestMailbox(catalog);
  const { object, revision, bytes } = largest;
  const parts = { repository, catalog, signal: new AbortController().signal };
  const scope = { object, revision, from: null, items: null };
  const asPst = async () => {
    const result = await exportPst(parts, scope, join(bench.folder, `mailbox-${randomUUID()}.pst`));
    if (result.missing.length > 0)
      throw new Error(`${result.missing.length} items are missing: ${result.missing[0]?.reason}`);
  };
  const plain = () =>
    pipeline(
      Readable.from(contentsOf(repository, catalog, object.key, revision)),
      // On the disk when it is done, as a PST is.
      createWriteStream(join(bench.folder, 'plain'), { flush: true }),
    );
  const [pst, file] = await timeInTurn(ROUNDS, asPst, plain);
  const share = file.medianMs / pst.medianMs;
  const rate = (ms: number) => `${(bytes / 1e3 / ms).toFixed(1)} MB/s`;
  printTable(
    `Target: at least ${SHARE_MIN} of the rate of a plain file`,
    ['export', 'PST', 'plain file', 'share'],
    [
      [
        `${(bytes / 1e6).toFixed(1)} MB`,
        rate(pst.medianMs),
        rate(file.medianMs),
        targets.evaluated('PST export', share.toFixed(2), share >= SHARE_MIN),
      ],
    ],
  );
}

async function fill(bench: Bench, repository: Repository, catalog: RepositoryCatalog): Promise<void> {
  const from = join(bench.folder, 'mails');
  await writeDataset(from, MAILBOX);
  const selection = {
    scope: 'everything',
    kinds: ['mailbox'],
    include: [],
    exclude: [],
    personalSites: false,
  } as const;
  const parts = { repository, catalog, source: new FolderSource(from), signal: new AbortController().signal };
  const { outcome } = await backUp(parts, { id: 'bench', name: 'bench', selection });
  if (outcome !== 'Success') throw new Error(`The backup ended as ${outcome}.`);
}

async function largestMailbox(catalog: RepositoryCatalog) {
  const [point] = await catalog.listRestorePoints({ limit: 1, offset: 0 });
  const all = await catalog.restorePointObjects(point?.run.id ?? '');
  const weighed = await Promise.all(
    all.map(async (one) => ({ ...one, ...(await catalog.weigh(one.object.key, one.revision, null)) })),
  );
  const [largest] = weighed.sort((one, other) => other.bytes - one.bytes);
  if (largest === undefined) throw new Error('The tenant has no mailbox.');
  return largest;
}

/** What the export reads, in its order and with the same looks ahead, and nothing made of it. */
async function* contentsOf(
  repository: Repository,
  catalog: RepositoryCatalog,
  object: string,
  revision: number,
): AsyncGenerator<Buffer> {
  for await (const { version, index } of locatedAhead(catalog, catalog.walk(object, revision, null)))
    for (const content of version.contents) yield* repository.read(content, index);
}
