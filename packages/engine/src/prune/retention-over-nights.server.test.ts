import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { rebuild } from '../rebuild/rebuild.ts';
import type { Commit } from '../repository/commit.ts';
import type { Repository } from '../repository/repository.ts';
import { Random } from '../testing/random.ts';
import { restoredState, type State, writtenState } from '../testing/restored-state.ts';
import { useDatabase } from '../testing/test-parts.ts';
import { EVERYTHING, WrittenObject, WrittenSource } from '../testing/written-source.ts';
import { prune } from './prune.ts';

const database = useDatabase();
const DAY_MS = 86_400_000;
const NIGHTS = 10;
/** For how many days the restore points of each job stay; those of `others` as long as the prune asks for. */
const DAYS = { legal: 6, sales: 4, others: 2 };
type Job = keyof typeof DAYS;
const JOBS: readonly Job[] = ['legal', 'sales', 'others'];

/** Three jobs, each with a mailbox of its own, and one mailbox that is in all of them; every day all of them change. */
async function bed() {
  let day = 0;
  const now = () => new Date(Date.UTC(2026, 0, 1) + day * DAY_MS);
  const parts = await database.parts({ now });
  const { repository, catalog } = parts;
  const random = new Random(5);
  const own = {
    legal: new WrittenObject('legal'),
    sales: new WrittenObject('sales'),
    others: new WrittenObject('rest'),
  };
  const shared = new WrittenObject('shared');
  const points: { job: Job; day: number; run: string; states: Map<string, State> }[] = [];
  const back = async (job: Job) => {
    const objects = [own[job], shared];
    for (const written of objects)
      written.put('note', { kind: 'message', name: 'Note', parentId: null, contents: { mime: random.bytes(2_000) } });
    const keepDays = job === 'others' ? {} : { keepDays: DAYS[job] };
    const { signal } = new AbortController();
    const source = new WrittenSource(...objects);
    const { run, outcome } = await backUp(
      { ...parts, source, signal, now },
      { id: job, name: job, selection: EVERYTHING, ...keepDays },
    );
    expect(outcome).toBe('Success');
    points.push({
      job,
      day,
      run,
      states: new Map(objects.map((one) => [repository.objectKey(one.object), writtenState(one)])),
    });
  };
  const backAll = async () => {
    for (const job of JOBS) await back(job);
  };
  /** The days of the restore points that are left of each job, each of which is whole. */
  const left = async () => {
    const days: Record<Job, number[]> = { legal: [], sales: [], others: [] };
    for (const { job, day: of, run, states } of points) {
      const point = await catalog.restorePoint(run);
      if (point === null) continue;
      days[job].push(of);
      for (const [key, revision] of point.objects)
        expect(await restoredState(repository, catalog, key, revision)).toEqual(states.get(key));
    }
    return days;
  };
  const nextDay = () => {
    day += 1;
    return day;
  };
  return { ...parts, now, backAll, left, nextDay };
}

/** The last days up to today for which a job's restore points stay: the newest one, and those not older than its days. */
const daysUpTo = (today: number, days: number) => Array.from({ length: days }, (_, at) => today - days + 1 + at);

test('ten nights, each with something due, take from each job what is older than its own days', async () => {
  const { repository, catalog, now, backAll, left, nextDay } = await bed();
  await backAll();
  for (let day = 1; day < DAYS.legal; day += 1) {
    nextDay();
    await backAll();
  }
  for (let night = 0; night < NIGHTS; night += 1) {
    const today = nextDay();
    await backAll();
    const pruned = await prune(repository, catalog, { now, keepDays: DAYS.others });
    const after = await left();
    const expected = Object.fromEntries(JOBS.map((job) => [job, daysUpTo(today, DAYS[job])]));
    expect(after, `night ${night}`).toEqual(expected);
    // In the first night also those of the days before it.
    const due = night > 0 ? JOBS.length : JOBS.reduce((sum, job) => sum + today + 1 - DAYS[job], 0);
    expect(pruned.restorePoints, `night ${night}`).toBe(due);
  }
  const fingerprint = await catalog.fingerprint();
  const remaining = await left();
  await rebuild(repository, catalog);
  expect(await catalog.fingerprint()).toEqual(fingerprint);
  const runs = await journalsOf(repository);
  for (let seed = 1; seed <= 3; seed += 1) {
    await catalog.clear();
    for (const commit of inSomeOrder(runs, new Random(seed))) await catalog.apply(commit);
    expect(await catalog.fingerprint(), `order ${seed}`).toEqual(fingerprint);
  }
  expect(await left()).toEqual(remaining);
});

async function journalsOf(repository: Repository): Promise<Commit[][]> {
  const runs: Commit[][] = [];
  for await (const { run, commits } of repository.listRuns()) {
    const journal: Commit[] = [];
    for (let sequence = 1; sequence <= commits; sequence += 1) {
      const commit = await repository.findCommit(run, sequence);
      if (commit !== null) journal.push(commit);
    }
    runs.push(journal);
  }
  return runs;
}

/** All runs, one after the other, in any order in which each finds the revisions that it builds on. */
function* inSomeOrder(runs: readonly Commit[][], random: Random): Generator<Commit> {
  const left = [...runs];
  const revisions = new Map<string, number>();
  while (left.length > 0) {
    const ready = left.filter((run) => buildsOn(run, revisions));
    const next = ready[random.below(ready.length)];
    if (next === undefined) throw new Error('No run can be applied next.');
    left.splice(left.indexOf(next), 1);
    for (const { sections } of next) for (const { key, revision } of sections) revisions.set(key, revision);
    yield* next;
  }
}

function buildsOn(run: readonly Commit[], known: ReadonlyMap<string, number>): boolean {
  const revisions = new Map(known);
  for (const { sections } of run)
    for (const { key, revision } of sections) {
      if (revision !== (revisions.get(key) ?? 0) + 1) return false;
      revisions.set(key, revision);
    }
  return true;
}
