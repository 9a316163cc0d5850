import type { RepositoryCatalog, SearchQuery } from '@keepwatch/engine/catalog/catalog';
import { textsOf, wordAt } from '../made-words.ts';
import { ms, printTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import { timed, timingOf } from '../timing.ts';
import type { Bench } from './bench-repository.ts';
import { madeCommit, madeFolder, madeMessage } from './made-commits.ts';
import { indexAtOnce, indexMadeTexts } from './made-index.ts';

const ITEMS = 1_000_000;
const ITEMS_A_COMMIT = 20_000;
const P95_MS_MAX = 100;
const ROUNDS = 30;
const KEY = 'bench-mailbox';

/** Search over a million items: frequent words, rare ones, several, a beginning, a phrase, and with conditions. */
export async function benchSearch(bench: Bench, targets: Targets): Promise<void> {
  const { catalog } = await bench.repository();
  const buildMs = await timed(() => indexAtOnce(bench.databaseUrl, () => build(catalog)));
  process.stdout.write(
    `${ITEMS.toLocaleString('en')} items applied and indexed in ${(buildMs / 1_000).toFixed(0)} s\n`,
  );
  const rows: string[][] = [];
  for (const [name, query] of queries()) {
    const durations: number[] = [];
    let hits = 0;
    for (let round = -3; round < ROUNDS; round += 1) {
      const requested = { limit: 50, ...query(round + 3) };
      const took = await timed(async () => {
        hits = (await catalog.search(requested)).hits.length;
      });
      if (round >= 0) durations.push(took);
    }
    const { medianMs, p95Ms } = timingOf(durations);
    rows.push([name, String(hits), ms(medianMs), targets.evaluated(`search ${name}`, ms(p95Ms), p95Ms <= P95_MS_MAX)]);
  }
  printTable(
    `Target: p95 at most ${P95_MS_MAX} ms`,
    ['search of a million items, in ms', 'hits', 'median', 'p95'],
    rows,
  );
}

/** Each round asks for other words of the same kind. */
function queries(): [name: string, query: (round: number) => Partial<SearchQuery>][] {
  const word = (from: number, to: number) => (round: number) => wordAt(from + ((to - from) * (round % 20)) / 20);
  const [frequent, medium, rare] = [word(0, 0.25), word(0.4, 0.6), word(0.85, 1)];
  return [
    ['a frequent word', (round) => ({ text: frequent(round) })],
    ['a word now and then', (round) => ({ text: medium(round) })],
    ['a rare word', (round) => ({ text: rare(round) })],
    ['frequent and rare', (round) => ({ text: `${frequent(round)} ${rare(round)}` })],
    ['two frequent ones', (round) => ({ text: `${frequent(round)} ${frequent(round + 7)}` })],
    ['the beginning of a word', (round) => ({ text: medium(round).slice(0, 3) })],
    ['words side by side', (round) => ({ text: `"${frequent(round)} ${frequent(round + 3)}"` })],
    ['no such word', (round) => ({ text: `missing${round}` })],
    ['a sender', (round) => ({ from: `person${round % 503}@contoso.example` })],
    ['a frequent word of a sender', (round) => ({ text: frequent(round), from: `person${round % 503}` })],
    [
      'a frequent word of a week',
      (round) => ({
        text: frequent(round),
        dateFrom: new Date(Date.UTC(2015, 0, 1 + round)),
        dateTo: new Date(Date.UTC(2015, 0, 8 + round)),
      }),
    ],
    ['large ones by size', (round) => ({ text: medium(round), sizeFrom: 50_000 })],
  ];
}

async function build(catalog: RepositoryCatalog): Promise<void> {
  const words = textsOf(7);
  for (let from = 0; from < ITEMS; from += ITEMS_A_COMMIT) {
    const folder = from === 0 ? [{ type: 'put', item: madeFolder('Inbox') } as const] : [];
    const puts = Array.from(
      { length: ITEMS_A_COMMIT },
      (_, at) => ({ type: 'put', item: madeMessage('Inbox', from + at, 0, words(6)) }) as const,
    );
    await catalog.apply(madeCommit(KEY, from / ITEMS_A_COMMIT + 1, [...folder, ...puts]));
    await indexMadeTexts(catalog, words);
  }
}
