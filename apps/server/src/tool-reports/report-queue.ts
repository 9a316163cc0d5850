import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { Refusal } from '../foundation/errors.ts';
import { RejectedRun, type ReportOutcome } from './ingest-reports.ts';
import { ReportBatch } from './report-batch.ts';
import type { ReportedExecution } from './reported-executions.ts';
import type { WaitingReport } from './waiting-report.ts';

interface QueuedReport extends WaitingReport {
  resolve(executions: ReportedExecution[]): void;
  reject(error: unknown): void;
}

/** Counts the waiting reports of one token, of one provider, or of all. */
class Quota {
  #reports = 0;
  #bytes = 0;
  readonly #most: { reports: number; bytes: number };

  constructor(most: { reports: number; bytes: number }) {
    this.#most = most;
  }

  /** Returns whether another report fits. A single one of any size always does. */
  hasCapacityFor(bytes: number): boolean {
    return this.#reports === 0 || (this.#reports < this.#most.reports && this.#bytes + bytes <= this.#most.bytes);
  }

  enter(bytes: number): void {
    this.#reports += 1;
    this.#bytes += bytes;
  }

  leave(bytes: number): void {
    this.#reports -= 1;
    this.#bytes -= bytes;
  }
}

const MEBIBYTE = 1024 * 1024;
/** Limits of waiting reports, a few seconds of work. One token or provider can never block the others. */
const IN_ALL = { reports: 20_000, bytes: 48 * MEBIBYTE };
const OF_PROVIDER = { reports: 10_000, bytes: 24 * MEBIBYTE };
const OF_TOKEN = { reports: 5_000, bytes: 16 * MEBIBYTE };
/** Number of providers whose reports are stored at the same time; those of one provider wait for each other anyway. */
const BATCHES_AT_ONCE = 2;
/**
 * If more reports than these wait, half of them share a batch. The API answers and reads others while the database stores it; with
 * all in one batch, API and database would wait for each other.
 */
const HALVED_FROM = 16;
const RETRY_AFTER_SECONDS = 5;

interface TokenQueue {
  quota: Quota;
  waiting: QueuedReport[];
}

interface ProviderQueue {
  quota: Quota;
  /** In the order in which they are served. */
  tokens: Map<string, TokenQueue>;
}

/**
 * Stores reports in batches. Reports that arrive while a batch of their provider is being stored share the next one; each is answered
 * after its commit. Providers take turns, and so do the tokens of a provider.
 */
export class ReportQueue {
  readonly #ingest: (providerId: number, reports: readonly WaitingReport[]) => Promise<ReportOutcome[]>;
  readonly #quota = new Quota(IN_ALL);
  /** In the order in which they are served. */
  readonly #providers = new Map<number, ProviderQueue>();
  readonly #running = new Set<number>();

  constructor(ingest: (providerId: number, reports: readonly WaitingReport[]) => Promise<ReportOutcome[]>) {
    this.#ingest = ingest;
  }

  /**
   * Stores a report and returns the executions of its runs after the commit. Throws the refusal of the report, or 503 if too many
   * are waiting.
   */
  async store(report: WaitingReport): Promise<ReportedExecution[]> {
    const { promise, resolve, reject } = Promise.withResolvers<ReportedExecution[]>();
    this.#enter({ ...report, resolve, reject });
    void this.#work();
    return promise;
  }

  #enter(report: QueuedReport): void {
    const { providerId } = report.owner;
    const provider = this.#providers.get(providerId) ?? { quota: new Quota(OF_PROVIDER), tokens: new Map() };
    const tokenKey = report.tokenHash.toString('base64');
    const token = provider.tokens.get(tokenKey) ?? { quota: new Quota(OF_TOKEN), waiting: [] };
    const quotas = [this.#quota, provider.quota, token.quota];
    if (!quotas.every((quota) => quota.hasCapacityFor(report.bytes))) throw tooManyWaiting();
    for (const quota of quotas) quota.enter(report.bytes);
    token.waiting.push(report);
    provider.tokens.set(tokenKey, token);
    this.#providers.set(providerId, provider);
  }

  async #work(): Promise<void> {
    if (this.#running.size >= BATCHES_AT_ONCE) return;
    const next = [...this.#providers].find(([providerId]) => !this.#running.has(providerId));
    if (next === undefined) return;
    const [providerId, provider] = next;
    this.#running.add(providerId);
    // Lets requests that have already arrived join this batch.
    await setImmediate();
    await this.#ingestOrSplit(providerId, this.#nextBatch(providerId, provider));
    this.#running.delete(providerId);
    void this.#work();
    void this.#work();
  }

  /** Selects one report of each token in turn, up to half of those waiting, as far as they fit. */
  #nextBatch(providerId: number, provider: ProviderQueue): QueuedReport[] {
    const batch = new ReportBatch<QueuedReport>();
    const lengths = [...provider.tokens.values()].map(({ waiting }) => waiting.length);
    const half = Math.ceil(lengths.reduce((sum, length) => sum + length, 0) / 2);
    const isFull = () => batch.isFull || batch.reports.length >= Math.max(HALVED_FROM, half);
    for (let place = 0; place < Math.max(...lengths) && !isFull(); place += 1)
      for (const { waiting } of provider.tokens.values()) {
        const report = waiting[place];
        if (report !== undefined && !isFull()) batch.add(report);
      }
    this.#remove(providerId, provider, new Set(batch.reports));
    return batch.reports;
  }

  /** Removes a batch from the queue; its tokens are last the next time. */
  #remove(providerId: number, provider: ProviderQueue, batch: ReadonlySet<QueuedReport>): void {
    this.#providers.delete(providerId);
    for (const [key, token] of [...provider.tokens]) {
      const served = token.waiting.filter((report) => batch.has(report));
      if (served.length === 0) continue;
      for (const { bytes } of served)
        for (const quota of [this.#quota, provider.quota, token.quota]) quota.leave(bytes);
      token.waiting = token.waiting.filter((report) => !batch.has(report));
      provider.tokens.delete(key);
      if (token.waiting.length > 0) provider.tokens.set(key, token);
    }
    if (provider.tokens.size > 0) this.#providers.set(providerId, provider);
  }

  /** Stores a batch. If a report makes it fail, stores it in halves, until that report is alone. */
  async #ingestOrSplit(providerId: number, reports: readonly QueuedReport[]): Promise<void> {
    try {
      const outcomes = await this.#ingest(providerId, reports);
      for (const [at, report] of reports.entries()) answer(report, outcomes[at]);
    } catch (error) {
      if (reports.length > 1 && isOfOneReport(error))
        for (const half of halvesOf(reports)) await this.#ingestOrSplit(providerId, half);
      else for (const report of reports) report.reject(error);
    }
  }
}

function answer(report: QueuedReport, outcome: ReportOutcome | undefined): void {
  if (outcome === undefined) report.reject(new Error('A report was left without an outcome.'));
  else if (outcome instanceof Refusal) report.reject(outcome);
  else report.resolve(outcome);
}

function halvesOf<T>(all: readonly T[]): T[][] {
  const middle = Math.ceil(all.length / 2);
  return [all.slice(0, middle), all.slice(middle)];
}

/** Error classes that affect all reports of a batch alike: connections, resources, cancelled statements, I/O. */
const OF_ALL = ['08', '53', '57', '58'];

function isOfOneReport(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return !OF_ALL.includes(error.code?.slice(0, 2) ?? '');
  return error instanceof RejectedRun || error instanceof TypeError || error instanceof RangeError;
}

function tooManyWaiting(): Refusal {
  return new Refusal(503, 'BUSY', 'Too many reports are waiting to be stored. Send this one again in some seconds.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
