import { describe, expect, it } from 'vitest';
import { Refusal } from '../foundation/errors.ts';
import { RejectedRun, type ReportOutcome } from './ingest-reports.ts';
import { ReportQueue } from './report-queue.ts';
import type { WaitingReport } from './waiting-report.ts';

const START_MS = Date.UTC(2026, 2, 2, 6);
const MINUTE_MS = 60_000;

interface Given {
  token?: string;
  job?: string;
  provider?: number;
  startMinute?: number;
  result?: 'Success' | 'Failed' | 'Running';
  bytes?: number;
}

/** Returns a report of one run. Each token belongs to another company. */
function report({ token = 'a', job = 'job', provider = 1, startMinute = 0, result = 'Success', bytes = 100 }: Given) {
  const startedAt = new Date(START_MS + startMinute * MINUTE_MS);
  return {
    tokenHash: Buffer.from(`${provider}/${token}`),
    owner: { providerId: provider, companyId: token },
    runs: [
      { jobName: job, tool: null, sourceGroup: 'file-share-jobs', startedAt, endedAt: startedAt, result, madeId: null },
    ],
    bytes,
    at: new Date(START_MS),
  } satisfies WaitingReport;
}

const nameOf = ({ owner, runs }: WaitingReport) => `${owner.companyId}/${runs[0]?.jobName}`;

/** Opens a queue whose store waits until `open` is called, and records which reports share a batch. */
function openQueue(outcomeOf: (report: WaitingReport) => ReportOutcome = () => []) {
  const batches: { providerId: number; names: string[] }[] = [];
  const waiting: (() => void)[] = [];
  const gate = { isOpen: false };
  const queue = new ReportQueue(async (providerId, reports) => {
    batches.push({ providerId, names: reports.map(nameOf) });
    if (!gate.isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
    return reports.map(outcomeOf);
  });
  return {
    queue,
    batches,
    isBusy: () => expect.poll(() => waiting.length).toBeGreaterThan(0),
    open() {
      gate.isOpen = true;
      for (const go of waiting.splice(0)) go();
    },
  };
}

describe('a queue of reports', () => {
  it('stores the first report at once, and those that arrive meanwhile together', async () => {
    const { queue, batches, isBusy, open } = openQueue();
    const first = queue.store(report({ job: 'first' }));
    await isBusy();
    const others = ['one', 'two', 'three'].map((job) => queue.store(report({ job })));
    open();
    await Promise.all([first, ...others]);
    expect(batches.map(({ names }) => names)).toEqual([['a/first'], ['a/one', 'a/two', 'a/three']]);
  });

  it('answers a report only after its batch is stored', async () => {
    const { queue, isBusy, open } = openQueue();
    const answered: string[] = [];
    const stored = queue.store(report({})).then(() => answered.push('answer'));
    await isBusy();
    answered.push('stored');
    open();
    await stored;
    expect(answered).toEqual(['stored', 'answer']);
  });

  it('stores the single report of one token before hundreds of another', async () => {
    const { queue, batches, isBusy, open } = openQueue();
    const first = queue.store(report({ job: 'first' }));
    await isBusy();
    const many = Array.from({ length: 1_000 }, (_, at) => queue.store(report({ job: `job ${at}` })));
    const single = queue.store(report({ token: 'b' }));
    open();
    await Promise.all([first, single, ...many]);
    expect(batches[1]?.names).toContain('b/job');
    expect(batches[1]?.names.length).toBeLessThan(1_000);
  });

  it('alternates between providers', async () => {
    const { queue, batches, isBusy, open } = openQueue();
    const running = [1, 2].map((provider) => queue.store(report({ provider })));
    await isBusy();
    const many = Array.from({ length: 2_000 }, (_, at) => queue.store(report({ provider: 1, job: `job ${at}` })));
    const single = queue.store(report({ provider: 3 }));
    open();
    await Promise.all([...running, single, ...many]);
    const ofThird = batches.findIndex(({ providerId }) => providerId === 3);
    const lastOfFirst = batches.findLastIndex(({ providerId }) => providerId === 1);
    expect(ofThird).toBeLessThan(lastOfFirst);
  });

  it.each<[string, number, Given, Given]>([
    ['runs of one job that begin within two minutes', 2, {}, { startMinute: 1 }],
    ['a run and its end', 2, { result: 'Running' }, { startMinute: 0 }],
    ['a failed run and one that may repeat it', 2, { result: 'Failed' }, { startMinute: 10 }],
    ['a run and one before it', 2, { startMinute: 10 }, { startMinute: 0 }],
    ['successes far apart', 1, { startMinute: 0 }, { startMinute: 30 }],
    ['runs of different jobs', 1, { job: 'other' }, { startMinute: 0 }],
  ])('stores %s in %d batches', async (_what, count, one, other) => {
    const { queue, batches, isBusy, open } = openQueue();
    const first = queue.store(report({ job: 'first' }));
    await isBusy();
    const both = [queue.store(report(one)), queue.store(report(other))];
    open();
    await Promise.all([first, ...both]);
    expect(batches).toHaveLength(1 + count);
  });

  it('preserves the order of a job’s reports when one of them has to wait', async () => {
    const { queue, batches, isBusy, open } = openQueue();
    const first = queue.store(report({ job: 'first' }));
    await isBusy();
    const three = [
      queue.store(report({ result: 'Running' })),
      queue.store(report({ result: 'Failed' })),
      queue.store(report({ startMinute: 300 })),
    ];
    open();
    await Promise.all([first, ...three]);
    expect(batches.map(({ names }) => names.length)).toEqual([1, 1, 1, 1]);
  });

  it('refuses with 503 and a retry time when too much is waiting, and serves other tokens', async () => {
    const { queue, isBusy, open } = openQueue();
    const first = queue.store(report({ job: 'first' }));
    await isBusy();
    const large = [1, 2, 3].map((at) => queue.store(report({ job: `large ${at}`, bytes: 6 * 1024 * 1024 })));
    await expect(large[2]).rejects.toMatchObject({ status: 503, code: 'BUSY', retryAfterSeconds: 5 });
    const other = queue.store(report({ token: 'b', bytes: 6 * 1024 * 1024 }));
    open();
    await expect(Promise.all([first, large[0], large[1], other])).resolves.toHaveLength(4);
  });

  it('refuses a single report without affecting others of its batch', async () => {
    const refusal = new Refusal(409, 'CONFLICT', 'Too many jobs.');
    const { queue, open } = openQueue((one) => (nameOf(one) === 'a/bad' ? refusal : []));
    open();
    const outcomes = await Promise.allSettled(['good', 'bad', 'fine'].map((job) => queue.store(report({ job }))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[1]).toMatchObject({ reason: refusal });
  });

  it('splits a batch that fails until the failing report is alone', async () => {
    const stored: string[] = [];
    const queue = new ReportQueue(async (_providerId, reports) => {
      if (reports.some((one) => nameOf(one) === 'a/job 37')) throw new RejectedRun('poison');
      stored.push(...reports.map(nameOf));
      return reports.map(() => []);
    });
    const reports = Array.from({ length: 60 }, (_, at) => queue.store(report({ job: `job ${at}` })));
    const outcomes = await Promise.allSettled(reports);
    expect(outcomes.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))).toEqual([37]);
    expect(stored).toHaveLength(59);
  });

  it('does not split a batch when the database is unreachable, and continues afterwards', async () => {
    let asked = 0;
    const queue = new ReportQueue(async (_providerId, reports) => {
      asked += 1;
      if (asked === 1) throw new Error('Connection terminated unexpectedly');
      return reports.map(() => []);
    });
    const outcomes = await Promise.allSettled([1, 2, 3].map((at) => queue.store(report({ job: `job ${at}` }))));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(asked).toBe(1);
    await expect(queue.store(report({}))).resolves.toEqual([]);
  });
});
