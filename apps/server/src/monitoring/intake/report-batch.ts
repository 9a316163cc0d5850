import { SAME_START_MS_MAX } from '../executions/attempt.ts';
import type { WaitingReport } from './waiting-report.ts';

/** What one transaction stores at most: it should take some tens of milliseconds, as those that follow wait for it. */
const REPORTS_MAX = 250;
const RUNS_MAX = 2_000;
const BYTES_MAX = 2 * 1024 * 1024;

/** Two starts of one job that are further apart are never of the same attempt, also where one of them is known with another start. */
const APART_MS_MIN = 2 * SAME_START_MS_MAX;

/**
 * Reports that are stored in one transaction. Each is answered as if those before it had been stored in transactions of their own. So two
 * reports of one job share a batch only where the later one cannot change what became of the earlier one: that one ended well,
 * so that nothing repeats it, and the other begins clearly after it. All others wait for the next batch, in their order.
 */
export class ReportBatch<R extends WaitingReport> {
  readonly reports: R[] = [];
  /** From when on another run of a job may begin; `Infinity`: none may. */
  readonly #openFromMs = new Map<string, number>();
  #runs = 0;
  #bytes = 0;
  isFull = false;

  /** Adds a report where it fits; where it does not, later ones of the same jobs have to wait as well. */
  add(report: R): boolean {
    const keys = new Set(report.runs.map((run) => jobKey(report, run.jobName)));
    const fits = this.#hasRoomFor(report) && report.runs.every((run) => this.#isApart(report, run));
    for (const key of keys) this.#openFromMs.set(key, fits ? this.#openAfter(report, key) : Number.POSITIVE_INFINITY);
    if (!fits) return false;
    this.reports.push(report);
    this.#runs += report.runs.length;
    this.#bytes += report.bytes;
    this.isFull = this.reports.length >= REPORTS_MAX || this.#runs >= RUNS_MAX || this.#bytes >= BYTES_MAX;
    return true;
  }

  /** A report that is larger than a batch may be is stored alone. */
  #hasRoomFor({ runs, bytes }: R): boolean {
    if (this.reports.length === 0) return true;
    return !this.isFull && this.#runs + runs.length <= RUNS_MAX && this.#bytes + bytes <= BYTES_MAX;
  }

  #isApart(report: R, run: R['runs'][number]): boolean {
    const openFromMs = this.#openFromMs.get(jobKey(report, run.jobName));
    if (openFromMs === undefined) return true;
    // What is recognised by its message may have the message of an earlier run.
    return run.madeId === null && run.startedAt.getTime() >= openFromMs;
  }

  #openAfter(report: R, key: string): number {
    let openFromMs = this.#openFromMs.get(key) ?? Number.NEGATIVE_INFINITY;
    for (const { jobName, startedAt, result, madeId } of report.runs) {
      if (jobKey(report, jobName) !== key) continue;
      const endedWell = result === 'Success' || result === 'Warning';
      // What is recognised by what its tool made has a start of when it arrived: sent again it would have another one.
      const mayBeFollowed = endedWell && madeId === null;
      openFromMs = Math.max(openFromMs, mayBeFollowed ? startedAt.getTime() + APART_MS_MIN : Number.POSITIVE_INFINITY);
    }
    return openFromMs;
  }
}

function jobKey({ owner }: WaitingReport, jobName: string): string {
  return `${owner.companyId}/${jobName}`;
}
