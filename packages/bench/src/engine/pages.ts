import type { RepositoryCatalog } from '@keepwatch/engine/catalog/catalog';
import { ms, printTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import { timeInTurn } from '../timing.ts';
import type { Bench } from './bench-repository.ts';
import { madeCommit, madeFolder, madeMessage } from './made-commits.ts';

const ITEMS = 100_000;
const RESTORE_POINTS = 300;
/** Of the folder, from one restore point to the next: changed ones and as many that come while others go. */
const CHANGES = 500;
const PAGE_MS_MAX = 20;
/** The same speed, as far as a noisy machine can measure it: neither twice as slow as the other. */
const DIFFERENCE_MAX = 2;
const ROUNDS = 40;
const KEY = 'bench-mailbox';

/** A page of a folder of 100,000 at the first restore point of 300 and at the last. */
export async function benchPages(bench: Bench, targets: Targets): Promise<void> {
  const { catalog } = await bench.repository();
  await build(catalog);
  const page = (revision: number, sort: 'name' | '-date') => () =>
    catalog.browse({ object: KEY, revision, parentId: 'Inbox', kinds: ['message'], sort, limit: 100 });
  const rows: string[][] = [];
  for (const sort of ['-date', 'name'] as const) {
    const [first, last] = await timeInTurn(ROUNDS, page(1, sort), page(RESTORE_POINTS, sort));
    const slower = Math.max(first.medianMs, last.medianMs);
    const difference = slower / Math.min(first.medianMs, last.medianMs);
    rows.push([
      `by ${sort === 'name' ? 'name' : 'date, newest first'}`,
      ms(first.medianMs),
      ms(first.p95Ms),
      ms(last.medianMs),
      ms(last.p95Ms),
      targets.evaluated(`page ${sort}, ms`, ms(slower), slower <= PAGE_MS_MAX),
      targets.evaluated(`page ${sort}, first against last`, difference.toFixed(2), difference <= DIFFERENCE_MAX),
    ]);
  }
  const title = `A page of 100 of ${ITEMS.toLocaleString('en')}. Targets: at most ${PAGE_MS_MAX} ms, and equal`;
  printTable(title, ['page, in ms', 'first med', 'first p95', 'last med', 'last p95', 'slower', 'slower/faster'], rows);
}

async function build(catalog: RepositoryCatalog): Promise<void> {
  const folder = { type: 'put', item: madeFolder('Inbox') } as const;
  const all = Array.from(
    { length: ITEMS },
    (_, number) => ({ type: 'put', item: madeMessage('Inbox', number, 0) }) as const,
  );
  await catalog.apply(madeCommit(KEY, 1, [folder, ...all]));
  for (let run = 2; run <= RESTORE_POINTS; run += 1) {
    const changed = Array.from({ length: CHANGES }, (_, at) => {
      const number = (run * 7_919 + at * 211) % ITEMS;
      return { type: 'put', item: madeMessage('Inbox', number, run) } as const;
    });
    const come = Array.from(
      { length: CHANGES },
      (_, at) => ({ type: 'put', item: madeMessage('Inbox', -(run * CHANGES + at), 0) }) as const,
    );
    await catalog.apply(madeCommit(KEY, run, [...changed, ...come]));
  }
}
