import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { startEmbeddedDatabase } from '@keepwatch/embedded-database/embedded-database';
import { openCatalog } from '@keepwatch/engine/catalog/postgres/open-catalog';
import type { ObjectChange } from '@keepwatch/engine/repository/commit';
import { createRepository } from '@keepwatch/engine/repository/open-repository';
import { openFolderStore } from '@keepwatch/engine/store/folder/folder-store';
import { ms, printTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import { timingOf } from '../timing.ts';
import type { Bench } from './bench-repository.ts';
import { madeCommit } from './made-commits.ts';
import { engineProgram } from './program.ts';

const MAILBOXES = 5_000;
/** A mailbox remembers where each of its folders is read on, in a text as long as those of the mail server. */
const FOLDERS = 60;
const CURSOR_CHARACTERS = 800;
const MAILBOXES_A_COMMIT = 100;
const ROUNDS = 5;
const MS_MAX = 50;
const MEGABYTES_MAX = 20;

/** Opening a restore point of 5,000 mailboxes: its first page, each time in a new process, without anything warm in it but the connection. */
export async function benchOpenPoint({ folder }: Bench, targets: Targets): Promise<void> {
  const place = join(folder, randomUUID());
  const store = join(place, 'repository');
  const database = await startEmbeddedDatabase({ dataDir: join(place, 'database'), log: () => undefined });
  try {
    await build(store, database.url);
    const pages = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { page } = await engineProgram('open', store, database.url, '');
      pages.push(page ?? { ms: Number.POSITIVE_INFINITY, megabytes: Number.POSITIVE_INFINITY });
    }
    const { medianMs } = timingOf(pages.map((page) => page.ms));
    const megabytes = Math.max(...pages.map((page) => page.megabytes));
    printTable(
      `Targets: the first page within ${MS_MAX} ms and ${MEGABYTES_MAX} MB`,
      ['opening a restore point', 'median ms', 'most memory, MB'],
      [
        [
          `${MAILBOXES.toLocaleString('en')} mailboxes of ${FOLDERS} folders`,
          targets.evaluated('opening a restore point, ms', ms(medianMs), medianMs <= MS_MAX),
          targets.evaluated('opening a restore point, MB', megabytes.toFixed(1), megabytes <= MEGABYTES_MAX),
        ],
      ],
    );
  } finally {
    await database.stop();
  }
}

async function build(folder: string, url: string): Promise<void> {
  const repository = await createRepository(await openFolderStore(folder), 'the password of the benchmark');
  const catalogs = await openCatalog(url);
  try {
    const catalog = await catalogs.repository(repository.id);
    const keys = Array.from({ length: MAILBOXES }, (_, number) => `mailbox-${String(number).padStart(5, '0')}`);
    const run = madeCommit('', 1, []);
    const end = { ...run.end, objects: keys.map((key) => [key, 1] as const) };
    for (let from = 0; from < MAILBOXES; from += MAILBOXES_A_COMMIT) {
      const sections = keys
        .slice(from, from + MAILBOXES_A_COMMIT)
        .flatMap((key) => madeCommit(key, 1, cursors()).sections);
      const isFirst = from === 0;
      const isLast = from + MAILBOXES_A_COMMIT >= MAILBOXES;
      await catalog.apply({
        ...run,
        sequence: from / MAILBOXES_A_COMMIT + 1,
        header: isFirst ? run.header : null,
        sections,
        end: isLast && run.end !== null ? { ...run.end, objects: end.objects } : null,
      });
    }
  } finally {
    await catalogs.close();
    await repository.close();
  }
}

function cursors(): ObjectChange[] {
  return Array.from({ length: FOLDERS }, (_, folder) => ({
    type: 'cursor',
    scope: `messages/folder-${folder}`,
    value: randomUUID()
      .repeat(CURSOR_CHARACTERS / 36 + 1)
      .slice(0, CURSOR_CHARACTERS),
  }));
}
