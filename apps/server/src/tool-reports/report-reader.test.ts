import { describe, expect, it } from 'vitest';
import { FAULTS_MAX, Refusal } from '../foundation/errors.ts';
import { LOG_LINES_MAX } from '../runs/execution-log.ts';
import { HOSTILE_REPORTS } from '../testing/hostile-reports.ts';
import { cpuMsSince, WORKS_IN_200_MS, workCpuMs } from '../testing/processor-work.ts';
import { TEST_NOW } from '../testing/test-now.ts';
import { readReport } from './read-report.ts';
import { openReportReader } from './report-reader.ts';

const GIVEN = { jobName: 'hostile', exitCode: null, now: TEST_NOW };
const RUN = { job: 'hostile', startedAt: '2026-03-02T06:00:00Z', durationMs: 1, result: 'Success' };
const LARGE = JSON.stringify({
  ...RUN,
  log: Array.from({ length: 2_000 }, (_, index) => `line ${index} ${'x'.repeat(50)}`),
});
const reader = openReportReader();
const TRIES_MAX = 3;

/** How long the thread that answers requests works while a reader that is new reads a report, in milliseconds of its processor. */
async function ownMs(text: string): Promise<number> {
  const fresh = openReportReader({ memoryMb: 256, timeMs: 10_000, idleMs: 1 });
  const before = process.threadCpuUsage();
  await fresh.read(text, GIVEN).catch(refusalOf);
  return cpuMsSince(before);
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

describe('a large report', () => {
  it.each(Object.entries(HOSTILE_REPORTS))('takes less than 200 ms from all other callers: %s', async (_name, make) => {
    const text = make();
    const [spentMs, workMs]: [number[], number[]] = [[], []];
    const spent = () => Math.min(...spentMs) / Math.min(...workMs);
    // Whatever else the machine does can only be added to a time: the least of several is what it takes.
    while (spentMs.length === 0 || (spent() >= WORKS_IN_200_MS && spentMs.length < TRIES_MAX)) {
      workMs.push(workCpuMs());
      spentMs.push(await ownMs(text));
    }
    expect(spent()).toBeLessThan(WORKS_IN_200_MS);
  });

  it('is read like a small one', async () => {
    expect(await reader.read(LARGE, GIVEN)).toEqual(readReport(LARGE, GIVEN));
  });

  it('is refused like a small one, with the first 20 errors', async () => {
    const runs = Array.from({ length: 1_000 }, () => ({ ...RUN, log: Array.from({ length: 90 }, () => 1) }));
    const refusal = await reader.read(JSON.stringify(runs), GIVEN).then(() => null, refusalOf);
    expect(refusal).toMatchObject({ status: 422, code: 'INVALID_INPUT' });
    expect(refusal?.errors).toHaveLength(FAULTS_MAX);
    expect(refusal?.errors[0]).toEqual({
      path: 'body.0.log.0',
      message: 'must be a text, or an object of text, level and at',
    });
  });

  it('is refused when it exceeds the time limit, and the next one is read', async () => {
    const hasty = openReportReader({ memoryMb: 256, timeMs: 1, idleMs: 30_000 });
    const refusal = await hasty.read(LARGE, GIVEN).then(() => null, refusalOf);
    expect(refusal).toMatchObject({ status: 413, code: 'REPORT_TOO_LARGE' });
    expect(await reader.read(LARGE, GIVEN)).toHaveLength(1);
  });

  it('is refused when it exceeds the memory limit, and the next one is read', async () => {
    const poor = openReportReader({ memoryMb: 24, timeMs: 20_000, idleMs: 30_000 });
    const lines = HOSTILE_REPORTS['messages of restic']?.() ?? '';
    const refusal = await poor.read(lines, GIVEN).then(() => null, refusalOf);
    expect(refusal).toMatchObject({ status: 413, code: 'REPORT_TOO_LARGE' });
    expect(await poor.read(LARGE, GIVEN)).toHaveLength(1);
  });
});

describe('a report in the plain form', () => {
  const faultsOf = (body: unknown) => {
    try {
      readReport(JSON.stringify(body), GIVEN);
    } catch (error) {
      return refusalOf(error).errors;
    }
    throw new Error('It was read.');
  };

  it('422: is refused for more than 100,000 log lines in all, valid or not', () => {
    const runs = Array.from({ length: 101 }, () => ({ ...RUN, log: Array.from({ length: 1_000 }, () => 1) }));
    expect(faultsOf(runs)).toEqual([{ path: 'body', message: 'has more than 100,000 lines of log' }]);
  });

  it('422: is refused for more fields than a run can have', () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`field ${index}`, 1]));
    expect(faultsOf({ ...RUN, ...many })).toEqual([{ path: 'body', message: 'has more than 40 fields' }]);
    expect(faultsOf({ ...RUN, log: [many] })).toMatchObject([{ path: 'body.log.0' }]);
  });

  it('422: is refused when its log is not a list', () => {
    expect(faultsOf({ ...RUN, log: 'a line' })).toEqual([{ path: 'body.log', message: 'must be a list' }]);
  });

  it('is reduced to the stored log lines, their original number and the first error', () => {
    const log = Array.from({ length: 3_000 }, (_, index) => ({
      text: `${index}`,
      level: index === 2_000 ? 'error' : 'info',
    }));
    const [run] = readReport(JSON.stringify({ ...RUN, log }), GIVEN);
    expect(run?.log).toHaveLength(LOG_LINES_MAX + 1);
    expect(run).toMatchObject({ logLineCount: 3_000 });
    expect(run?.log?.at(-1)).toMatchObject({ text: '2000', level: 'error' });
  });
});
