import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { RepositoryCatalog } from '@keepwatch/engine/catalog/catalog';
import { catchUp } from '@keepwatch/engine/rebuild/catch-up';
import { rebuild } from '@keepwatch/engine/rebuild/rebuild';
import { type Commit, emptyCommit, type KnownCommit, newRunId } from '@keepwatch/engine/repository/commit';
import { Journals } from '@keepwatch/engine/repository/journals/journal';
import { deriveKeys } from '@keepwatch/engine/repository/keys';
import { createRepository, openRepository } from '@keepwatch/engine/repository/open-repository';
import { findKey } from '@keepwatch/engine/repository/passwords';
import type { ListedJournal } from '@keepwatch/engine/repository/repository';
import { openFolderStore } from '@keepwatch/engine/store/folder/folder-store';
import type { ObjectStore } from '@keepwatch/engine/store/object-store';
import { printTable } from '../table.ts';
import type { Targets } from '../targets.ts';
import { timed } from '../timing.ts';
import type { Bench } from './bench-repository.ts';
import { CountedRequests, StagedJournals } from './counted-store.ts';
import { madeCommit, madeFolder, madeMessage } from './made-commits.ts';

const SHARE = Number(process.env['JOURNALS_SHARE'] ?? 1);
/** Ten years of six hourly jobs, or a year of sixty. */
const RUNS = Math.ceil(500_000 / SHARE);
const RUNS_A_SEGMENT = 1_000;
/** The newest ones are journals still, as they are for some days. */
const LOOSE = 2_000;
/** Made of journals alone and applied one by one, as a catalog that goes on is. */
const ONE_BY_ONE = 2_000;
const OBJECTS = 60;
const REBUILD_SECONDS_MAX = 600;
const REQUESTS_MAX = 100;
const NAMES_MAX = 10_000;
const PASSWORD = 'a password of the bench';
const PASSWORD_COST = { memoryKiB: 64, passes: 1, lanes: 1 };

/** The catalog of a repository of 500,000 runs from its journals alone, and what the next run asks the store for. `JOURNALS_SHARE=10` takes a tenth. */
export async function benchJournals({ folder, catalog: catalogs }: Bench, targets: Targets): Promise<void> {
  const slow = await measured(join(folder, 'one-by-one'), ONE_BY_ONE, ONE_BY_ONE, async (repository, catalog) => {
    await catchUp(repository, catalog);
  });
  const fast = await measured(join(folder, 'segments'), RUNS, LOOSE, async (repository, catalog) => {
    await rebuild(repository, catalog);
  });
  report(targets, slow, fast);

  async function measured(
    place: string,
    runs: number,
    loose: number,
    work: (repository: Awaited<ReturnType<typeof openRepository>>, catalog: RepositoryCatalog) => Promise<void>,
  ) {
    const store = await openFolderStore(place);
    const made = await timed(() => makeRepository(store, runs, loose));
    process.stdout.write(`${runs.toLocaleString('en')} runs made in ${(made / 1e3).toFixed(0)} s\n`);
    const counted = new CountedRequests(store);
    const repository = await openRepository(counted, PASSWORD, { passwordCost: PASSWORD_COST });
    const catalog = await catalogs.repository(repository.id);
    counted.reset();
    const ms = await timed(() => work(repository, catalog));
    const [requests, bytesRead] = [counted.requests, counted.bytesRead];
    await catchUp(repository, catalog);
    counted.reset();
    const nextMs = await timed(async () => void (await catchUp(repository, catalog)));
    const next = { ms: nextMs, requests: counted.requests, names: counted.names, bytesRead: counted.bytesRead };
    await repository.close();
    return { runs, ms, requests, bytesRead, next };
  }
}

type Measured = { runs: number; ms: number; requests: number; bytesRead: number; next: CountedNext };
type CountedNext = { ms: number; requests: number; names: number; bytesRead: number };

function report(targets: Targets, slow: Measured, fast: Measured): void {
  const seconds = fast.ms / 1e3;
  const limit = REBUILD_SECONDS_MAX / SHARE;
  const row = ({ runs, ms, requests, bytesRead }: Measured, name: string, verdict: string) => [
    name,
    runs.toLocaleString('en'),
    verdict,
    (ms / runs).toFixed(2),
    (requests / runs).toFixed(3),
    (bytesRead / 1e6).toFixed(0),
  ];
  const whole = targets.evaluated('rebuild, s', seconds.toFixed(0), seconds <= limit);
  printTable(
    `A catalog from journals: at most ${limit} s. One by one is how a catalog follows others`,
    ['', 'runs', 'seconds', 'ms a run', 'requests a run', 'read MB'],
    [row(fast, 'rebuild, in segments', whole), row(slow, 'followed one by one', (slow.ms / 1e3).toFixed(0))],
  );
  const ratio = slow.ms / slow.runs / (fast.ms / fast.runs);
  process.stdout.write(
    `One by one would take ${((slow.ms / slow.runs) * (fast.runs / 1e3)).toFixed(0)} s, ${ratio.toFixed(1)} times as long.\n`,
  );
  const { next } = fast;
  printTable(
    `What a run lists and reads before it begins, in that repository: at most ${REQUESTS_MAX} requests and ${NAMES_MAX.toLocaleString('en')} names`,
    ['ms', 'requests', 'names listed', 'names without segments', 'read kB'],
    [
      [
        next.ms.toFixed(0),
        targets.evaluated('requests of a run', String(next.requests), next.requests <= REQUESTS_MAX),
        targets.evaluated('names listed by a run', next.names.toLocaleString('en'), next.names <= NAMES_MAX),
        (2 * fast.runs).toLocaleString('en'),
        (next.bytesRead / 1e3).toFixed(0),
      ],
    ],
  );
}

/** A repository of runs that ended: of the older ones segments, of the newest journals. */
async function makeRepository(store: ObjectStore, runs: number, loose: number): Promise<void> {
  const repository = await createRepository(store, PASSWORD, { passwordCost: PASSWORD_COST });
  const found = await findKey(store, repository.id, PASSWORD);
  if (found === null) throw new Error('The repository that was made cannot be opened.');
  const lock = await repository.lock('shared');
  const staged = new StagedJournals(store);
  const [memory, folder] = [staged, store].map((of) => new Journals(of, deriveKeys(found.key), 'bench'));
  let batch: ListedJournal[] = [];
  let follows: KnownCommit[] = [];
  const revisions = new Map<string, number>();
  for (let number = 0; number < runs; number += 1) {
    const isLoose = number >= runs - loose;
    const commits = commitsOf(number, follows, revisions);
    for (const commit of commits) await (isLoose ? folder : memory)?.append(commit);
    follows = commits.slice(-1).map(({ run, sequence }): KnownCommit => [run, sequence]);
    if (isLoose) continue;
    batch.push(staged.journal(commits));
    if (batch.length < RUNS_A_SEGMENT && number < runs - loose - 1) continue;
    await memory?.createSegment(batch, lock);
    staged.clear();
    batch = [];
  }
  await lock.release();
}

/** A run of three mailboxes: every second one brings a new message and one that was read, in one of them. */
function commitsOf(number: number, follows: KnownCommit[], revisions: Map<string, number>): Commit[] {
  const keys = [0, 1, 2].map((at) => keyOf(((number % (OBJECTS / 3)) * 3 + at) % OBJECTS));
  const startedAt = new Date(Date.parse('2020-01-01T00:00:00Z') + number * 600_000);
  const run = newRunId(startedAt);
  const isFirst = keys.some((key) => !revisions.has(key));
  const changed = isFirst ? keys : Math.floor(number / 20) % 2 === 0 ? [] : [keys[number % 3] ?? ''];
  const sections = changed.flatMap((key) => {
    const revision = (revisions.get(key) ?? 0) + 1;
    revisions.set(key, revision);
    const folder = revision === 1 ? [{ type: 'put', item: madeFolder('Inbox') } as const] : [];
    const puts = [number, number - 120].map(
      (of) => ({ type: 'put', item: madeMessage('Inbox', Math.abs(of), number) }) as const,
    );
    const cursor = { type: 'cursor', scope: 'messages', value: randomBytes(60).toString('base64url') } as const;
    return madeCommit(key, revision, [...folder, ...puts, cursor]).sections.map((section) => ({
      ...section,
      at: startedAt,
    }));
  });
  const [{ header = null, end = null } = {}] = [madeCommit(keys[0] ?? '', 1, [])];
  const first: Commit = { ...emptyCommit(run, 1), header: header && { ...header, id: run, startedAt }, follows };
  const objects = keys.map((key): [string, number] => [key, revisions.get(key) ?? 1]);
  const last: Commit = {
    ...emptyCommit(run, 2),
    packs: sections.length === 0 ? [] : [madePack()],
    sections,
    end: end && { ...end, finishedAt: new Date(startedAt.getTime() + 60_000), objects },
  };
  return [first, last];
}

const keyOf = (number: number) => Buffer.alloc(16, number + 1).toString('base64url');

function madePack() {
  const entry = (offset: number) => ({
    id: randomBytes(16).toString('base64url'),
    offset,
    storedBytes: 4_000,
    plainBytes: 9_000,
    isCompressed: true,
  });
  return { name: randomBytes(32).toString('hex'), sizeBytes: 8_100, chunks: [entry(24), entry(4_024)] };
}
