import { createIntakeToken } from '@keepwatch/contract/tool-reports/tool-reports';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { hashOfToken } from '../foundation/secrets.ts';
import { everythingIngested, forgetEverythingIngested } from '../ingest/recount.fixture.ts';
import { buildCompany } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { ingestReports } from './ingest-reports.ts';
import { ReportQueue } from './report-queue.ts';
import type { ReportedRun } from './reported-run.ts';
import type { KnownToken } from './token-owners.ts';
import type { WaitingReport } from './waiting-report.ts';

let portal: TestPortal;
let tokens: KnownToken[];

beforeAll(async () => {
  portal = await startTestPortal();
  const admin = await portal.as('admin');
  const make = async (): Promise<KnownToken> => {
    const companyId = await buildCompany(portal.database);
    const { token } = await admin.call(createIntakeToken, { body: { name: 'Machine', companyId } });
    return { tokenHash: hashOfToken(token), owner: { providerId: 1, companyId } };
  };
  tokens = [await make(), await make()];
});
afterAll(() => portal.stop());

const SECOND_MS = 1_000;
const START_MS = TEST_NOW.getTime() - 24 * 3_600_000;

/** Generates runs of few jobs and start times, so that many are equal, overlap, repeat each other, or arrive out of order. */
const run = fc.record({
  token: fc.nat({ max: 1 }),
  job: fc.constantFrom('one', 'two'),
  startSeconds: fc.constantFrom(0, 30, 59, 90, 150, 300, 1_000, 1_250, 4_000, 50_000),
  lengthSeconds: fc.constantFrom(0, 20, 100, 800),
  result: fc.constantFrom<ReportedRun['result'][]>('Success', 'Success', 'Success', 'Warning', 'Failed', 'Running'),
  message: fc.option(fc.constantFrom('Snapshot a was made.', 'Snapshot b was made.')),
  isKnownByMessage: fc.boolean(),
  bytes: fc.option(fc.constantFrom(0, 1_000_000_000, 40_000_000_000)),
  hasLog: fc.boolean(),
});
const reported = fc.array(fc.array(run, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 25 });

function reportsOf(lists: typeof reported extends fc.Arbitrary<infer T> ? T : never): WaitingReport[] {
  return lists.flatMap((list, index) => {
    const token = tokens[list[0]?.token ?? 0];
    const runs = list.map(({ job, startSeconds, lengthSeconds, result, message, isKnownByMessage, bytes, hasLog }) => {
      const startedAt = new Date(START_MS + startSeconds * SECOND_MS);
      return {
        jobName: job,
        tool: index % 3 === 0 ? 'restic' : null,
        sourceGroup: index % 2 === 0 ? 'file-share-jobs' : 'managed-agents',
        startedAt,
        endedAt: result === 'Running' ? null : new Date(startedAt.getTime() + lengthSeconds * SECOND_MS),
        result,
        message,
        transferredBytes: bytes,
        madeId: isKnownByMessage ? (message ?? null) : null,
        log: hasLog ? [{ at: null, level: 'info' as const, text: `line of ${index}` }] : [],
      } satisfies ReportedRun;
    });
    return token === undefined ? [] : [{ ...token, runs, bytes: 100, at: new Date(TEST_NOW.getTime() + index) }];
  });
}

async function forgetAll(): Promise<void> {
  await forgetEverythingIngested(portal.database);
  await portal.database.query('truncate jobs cascade');
}

/** Returns the stored rows and the answer to each report. */
async function outcomeOf(storeAll: (queue: ReportQueue) => Promise<unknown[]>) {
  await forgetAll();
  const batches: number[] = [];
  const queue = new ReportQueue((providerId, reports) => {
    batches.push(reports.length);
    return ingestReports(portal.database, providerId, reports);
  });
  const answers = await storeAll(queue);
  return { batches, outcome: { answers, stored: await everythingIngested(portal.database) } };
}

it('produces the same rows, rollups, job states and answers as storing one report after another', async () => {
  let shared = 0;
  await fc.assert(
    fc.asyncProperty(reported, async (lists) => {
      const reports = reportsOf(lists);
      const sequential = await outcomeOf(async (queue) => {
        const answers = [];
        for (const report of reports) answers.push(await queue.store(report));
        return answers;
      });
      const together = await outcomeOf((queue) => Promise.all(reports.map((report) => queue.store(report))));
      shared += reports.length - together.batches.length;
      expect(together.outcome).toEqual(sequential.outcome);
    }),
    { numRuns: tries(12, 100), endOnFailure: true },
  );
  expect(shared).toBeGreaterThan(12);
}, 300_000);
