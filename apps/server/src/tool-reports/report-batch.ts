import { SAME_START_MS_MAX } from '../runs/attempt.ts';
import type { WaitingReport } from './waiting-report.ts';

/** Limits of one transaction, which should take some tens of milliseconds, as the following reports wait for it. */
const REPORTS_MAX = 250;
const RUNS_MAX = 2_000;
const BYTES_MAX = 2 * 1024 * 1024;

/** Starts of one job at least this far apart never belong to the same attempt, even if one is stored with another start. */
const APART_MS_MIN = 2 * SAME_START_MS_MAX;

/**
 * Reports that are stored in one transaction. Each is answered as if stored in a transaction of its own. So two reports of one job
 * share a batch only if the later one cannot change the execution of the earlier one: the earlier run ended well, so that no retry
 * follows, and the later one begins clearly after it. All others wait, in order, for the next batch.
 */
export class ReportBatch<R extends WaitingReport> {
  readonly reports: R[] = [];
  /** The time from which on another run of a job may begin; `Infinity` if none may. */
  readonly #openFromMs = new Map<string, number>();
  #runs = 0;
  #bytes = 0;
  isFull = false;

  /** Adds a report if it fits; otherwise later ones of the same jobs have to wait as well. */
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

  /** Checks the limits. A report that exceeds them is stored alone. */
  #hasRoomFor({ runs, bytes }: R): boolean {
    if (this.reports.length === 0) return true;
    return !this.isFull && this.#runs + runs.length <= RUNS_MAX && this.#bytes + bytes <= BYTES_MAX;
  }

  #isApart(report: R, run: R['runs'][number]): boolean {
    const openFromMs = this.#openFromMs.get(jobKey(report, run.jobName));
    if (openFromMs === undefined) return true;
    // A run recognized by its message may have the message of an earlier run.
    return run.madeId === null && run.startedAt.getTime() >= openFromMs;
  }

  #openAfter(report: R, key: string): number {
    let openFromMs = this.#openFromMs.get(key) ?? Number.NEGATIVE_INFINITY;
    for (const { jobName, startedAt, result, madeId } of report.runs) {
      if (jobKey(report, jobName) !== key) continue;
      const endedWell = result === 'Success' || result === 'Warning';
      // A run with a `madeId` starts when its report arrives, so that it has another start when sent again.
      const mayBeFollowed = endedWell && madeId === null;
      openFromMs = Math.max(openFromMs, mayBeFollowed ? startedAt.getTime() + APART_MS_MIN : Number.POSITIVE_INFINITY);
    }
    return openFromMs;
  }
}

function jobKey({ owner }: WaitingReport, jobName: string): string {
  return `${owner.companyId}/${jobName}`;
}
