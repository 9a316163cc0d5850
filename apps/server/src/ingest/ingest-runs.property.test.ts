import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { faultsAndRecount } from '../runs/faults/recount.fixture.ts';
import type { NewRun } from '../runs/new-run.ts';
import { type BuiltJob, buildJob } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { ingestRuns } from './ingest-runs.ts';
import { everythingIngested, forgetEverythingIngested, rollupsAndRecount } from './recount.fixture.ts';

const MINUTE_MS = 60_000;
const START_MS = TEST_NOW.getTime() - 20 * 24 * 60 * MINUTE_MS;
const SETTINGS = { numRuns: tries(12, 100), endOnFailure: true };

let portal: TestPortal;
let jobs: BuiltJob[];

beforeAll(async () => {
  portal = await startTestPortal();
  jobs = [
    await buildJob(portal.database, { name: 'With an interval', intervalMs: 3_600_000 }),
    await buildJob(portal.database, { name: 'Without', companyId: null }),
  ];
});
afterAll(() => portal.stop());

/**
 * What happened to a job, one attempt after another: how long after the end of the one before, how long, how it ended.
 */
const history = fc.array(
  fc.record({
    pauseMinutes: fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 60, max: 2_000 })),
    lengthMinutes: fc.integer({ min: 0, max: 90 }),
    result: fc.constantFrom<NewRun['result'][]>('Success', 'Success', 'Success', 'Success', 'Warning', 'Failed'),
    transferredBytes: fc.option(fc.constantFrom(0, 10_000_000, 1_000_000_000, 1_100_000_000, 40_000_000_000)),
    message: fc.option(fc.constantFrom('Disk full', 'No new restore point was made', 'a\tb\\n\nc')),
  }),
  { minLength: 1, maxLength: 60 },
);

function executionsOf(job: BuiltJob, tries: typeof history extends fc.Arbitrary<infer T> ? T : never): NewRun[] {
  let atMs = START_MS;
  return tries.map(({ pauseMinutes, lengthMinutes, ...rest }) => {
    const startedAt = new Date(atMs + pauseMinutes * MINUTE_MS);
    const endedAt = new Date(startedAt.getTime() + lengthMinutes * MINUTE_MS);
    atMs = endedAt.getTime();
    return { jobInstanceUid: job.jobInstanceUid, startedAt, endedAt, ...rest };
  });
}

async function ingestAll(batches: readonly (readonly NewRun[])[]): Promise<unknown> {
  await forgetEverythingIngested(portal.database);
  for (const batch of batches) await ingestRuns(portal.database, 1, batch, TEST_NOW);
  return everythingIngested(portal.database);
}

/** Any order of the runs, and where to cut them into batches. */
const dealing = fc.record({ order: fc.infiniteStream(fc.integer()), cuts: fc.infiniteStream(fc.boolean()) });

function dealt(
  executions: readonly NewRun[],
  { order, cuts }: { order: Iterator<number>; cuts: Iterator<boolean> },
): NewRun[][] {
  const shuffled = executions
    .map((execution) => ({ execution, place: order.next().value ?? 0 }))
    .sort((one, other) => one.place - other.place);
  const batches: NewRun[][] = [[]];
  for (const { execution } of shuffled) {
    batches.at(-1)?.push(execution);
    if (cuts.next().value) batches.push([]);
  }
  return batches;
}

describe('ingesting any history', () => {
  it('writes the same rows, sums, faults and job states in any order and any batches', async () => {
    await fc.assert(
      fc.asyncProperty(history, history, dealing, async (one, other, deal) => {
        const all = [one, other].flatMap((tries, index) => {
          const job = jobs[index];
          return job === undefined ? [] : executionsOf(job, tries);
        });
        const atOnce = await ingestAll([all]);
        expect(await ingestAll(dealt(all, deal))).toEqual(atOnce);
      }),
      SETTINGS,
    );
  }, 300_000);

  it('writes sums and faults that equal a count of the executions, also when running ones are reported again with their end', async () => {
    await fc.assert(
      fc.asyncProperty(history, dealing, async (tries, deal) => {
        const [job] = jobs;
        if (job === undefined) throw new Error('no job');
        const all = executionsOf(job, tries);
        const running = all.map((execution) => ({
          ...execution,
          endedAt: null,
          result: 'Running' as const,
          message: null,
        }));
        await ingestAll(dealt([...running, ...all], deal));
        const { stored, counted } = await rollupsAndRecount(portal.database);
        expect(stored).toEqual(counted);
        const faults = await faultsAndRecount(portal.database);
        expect(faults.stored).toEqual(faults.counted);
      }),
      SETTINGS,
    );
  }, 300_000);

  it('changes nothing when everything is reported twice', async () => {
    await fc.assert(
      fc.asyncProperty(history, dealing, async (tries, deal) => {
        const [job] = jobs;
        if (job === undefined) throw new Error('no job');
        const all = executionsOf(job, tries);
        const once = await ingestAll([all]);
        for (const batch of dealt(all, deal)) {
          const again = await ingestRuns(portal.database, 1, batch, TEST_NOW);
          expect(again).toEqual({ added: 0, changed: 0, refused: [] });
        }
        expect(await everythingIngested(portal.database)).toEqual(once);
      }),
      SETTINGS,
    );
  }, 300_000);
});
