import {
  type BackupResult,
  backUp,
  EngineError,
  type EngineEvent,
  indexTexts,
  openSource,
  type Stored,
  type Work,
} from '@keepwatch/engine/engine';
import { reasonOf } from '../../foundation/errors.ts';
import { publish } from '../../foundation/events.ts';
import { selectionOf } from '../jobs/selection.ts';
import { reportBegin } from '../monitoring/report-run.ts';
import { countPoints } from '../repositories/count-points.ts';
import { openStored } from '../repositories/open-stored.ts';
import { endOfAbandoned, isAbandoned } from './abandoned-run.ts';
import { type ClaimedSession, releaseClaim, storeEngineRun, storeProgress } from './claims.ts';
import { endOfRun } from './end-of-run.ts';
import { endSession } from './end-session.ts';
import { begunText, STOP_TEXTS, type StopReason, stopMessage } from './end-texts.ts';
import { logLineOf } from './log-texts.ts';
import { ProgressMeter } from './progress-meter.ts';
import { resultOfRun } from './result-of-run.ts';
import type { RunServices } from './run-services.ts';
import type { SessionEnd } from './session-end.ts';
import { SessionLog } from './session-log.ts';

export interface RunningSession {
  session: ClaimedSession;
  stop(reason: StopReason): void;
  /**
   * For how long it does what no worker before this one had done. A run that gave its place earlier goes through all that was done first: counted from
   * its begin, one where that takes longer than it has a place would never end.
   */
  gainingMs(): number;
  /** Never rejects. */
  ended: Promise<void>;
}

const REPORT_EVERY_MS = 1_000;
const PUBLISH_EVERY_MS = 3_000;
/** A worker has many runs side by side, and bounded memory for all of them: each reads fewer objects at once than one that is alone. */
const OBJECTS_AT_ONCE = 8;
/** So many times longer a run stays at objects of which it has ended none: each is listed from its begin when another worker goes on. */
const LONG_OBJECTS = 6;

/** Does a claimed run to its end, reporting its progress and log. */
export function runSession(
  services: RunServices,
  session: ClaimedSession,
  worker: { id: string; name: string },
): RunningSession {
  const run = new SessionRun(services, session, worker);
  return { session, stop: (reason) => run.stop(reason), gainingMs: () => run.gainingMs(), ended: run.work() };
}

class SessionRun {
  private readonly services: RunServices;
  private readonly session: ClaimedSession;
  private readonly worker: { id: string; name: string };
  private readonly stopping = new AbortController();
  private meter: ProgressMeter;
  private readonly log: SessionLog;
  private gainsSinceMs: number | null;
  private reason: StopReason | null = null;
  private publishedMs = Number.NEGATIVE_INFINITY;

  constructor(services: RunServices, session: ClaimedSession, worker: { id: string; name: string }) {
    this.services = services;
    this.session = session;
    this.worker = worker;
    this.log = new SessionLog(services.database, session, services.now);
    this.meter = new ProgressMeter(session.progress);
    this.gainsSinceMs = this.objectsGained() >= 0 ? performance.now() : null;
  }

  stop(reason: StopReason): void {
    if (this.reason === null) this.log.add('info', null, STOP_TEXTS[reason]);
    this.reason = reason === 'lost' ? reason : (this.reason ?? reason);
    // Where another worker does the run, the one here makes no restore point beside the other's.
    this.stopping.abort(new EngineError(this.isGivenUp() ? 'run-closed' : 'stopped', STOP_TEXTS[reason]));
  }

  async work(): Promise<void> {
    const { services, session, worker } = this;
    if (!isAbandoned(session)) this.log.add('info', null, begunText(session, worker.name));
    if (!session.isContinued) await this.showBegin();
    const reporting = setInterval(() => void this.report(), REPORT_EVERY_MS);
    try {
      const end = await this.doWork();
      clearInterval(reporting);
      await this.report();
      await this.showPoints();
      if (end === null) await releaseClaim(services.database, session, worker.id);
      else if (this.reason !== 'lost') await endSession(services.database, session, worker.id, end, services.now());
    } catch (error) {
      services.log.error(
        { err: error, session: session.id },
        'a run could not be ended; another worker goes on with it',
      );
    } finally {
      clearInterval(reporting);
    }
  }

  /** A database that does not answer now does not end the run; Monitoring shows its end in any case. */
  private async showBegin(): Promise<void> {
    const { database, log, now } = this.services;
    await reportBegin(database, this.session, now()).catch((error: unknown) =>
      log.warn({ session: this.session.id, reason: reasonOf(error) }, 'the begin of a run could not be shown'),
    );
  }

  /** Before the end is shown, so that its restore point is counted. Otherwise it is when the repository is measured. */
  private async showPoints(): Promise<void> {
    const { providerId, repositoryId: id } = this.session;
    await countPoints(this.services, { providerId, id }).catch((error: unknown) =>
      this.services.log.warn({ session: this.session.id, reason: reasonOf(error) }, 'a restore point was not counted'),
    );
  }

  /** @returns `null` where another worker is to go on */
  private async doWork(): Promise<SessionEnd | null> {
    if (!isAbandoned(this.session)) return this.backUp();
    const end = await endOfAbandoned(this.services, this.session, this.stopping.signal, this.log);
    return this.isGivenUp() ? null : end;
  }

  private async backUp(): Promise<SessionEnd | null> {
    try {
      const result = await this.read();
      this.meter.end(result);
      if (this.isGivenUp()) return null;
      return endOfRun(result, this.reason, this.meter.progress());
    } catch (error) {
      if (this.isGivenUp()) return null;
      if (this.reason === null) this.log.add('error', null, reasonOf(error));
      const isStopped = this.reason !== null;
      const message = isStopped ? stopMessage(this.reason) : messageOf(error, this.services, this.session);
      return { result: isStopped ? 'Warning' : 'Failed', message, progress: this.meter.progress(), restorePoint: null };
    }
  }

  private isGivenUp(): boolean {
    return this.reason === 'leaving' || this.reason === 'yielding' || this.reason === 'lost';
  }

  private async read(): Promise<BackupResult> {
    const { services, session } = this;
    const { providerId, repositoryId } = session;
    const work = { signal: this.stopping.signal, onEvent: (event: EngineEvent) => this.hear(event) };
    const stored = await openStored(services, providerId, repositoryId);
    const result = (await this.endedBefore(stored, work)) ?? (await this.readSource(stored, work));
    this.meter.end(result);
    // The restore point is made by now, and stays whatever becomes of this: what is not indexed is the next run's work.
    if (result.outcome !== 'Stopped')
      await indexTexts(stored, work).catch((error: unknown) => this.hearUnindexed(error));
    return result;
  }

  private async endedBefore(stored: Stored, work: Work): Promise<BackupResult | null> {
    const result = await resultOfRun(stored, this.session.engineRun, work);
    if (result === null) return null;
    this.log.add('info', null, 'The worker before had made the restore point already.');
    // What that one read is counted in its result.
    this.meter = new ProgressMeter();
    return result;
  }

  private async readSource(stored: Stored, work: Work): Promise<BackupResult> {
    const { services, session, worker } = this;
    const { providerId, organizationId, jobId, jobName } = session;
    const source = await openSource(await services.connect({ providerId, id: organizationId }));
    const job = { id: jobId, name: jobName, selection: selectionOf(session.job, session.services) };
    const onBegun = async (run: string) => {
      if (!(await storeEngineRun(services.database, session, worker.id, run))) this.stop('lost');
    };
    try {
      return await backUp(stored, source, { job, onBegun, now: services.now, objectsAtOnce: OBJECTS_AT_ONCE }, work);
    } finally {
      await source.close();
    }
  }

  private hearUnindexed(error: unknown): void {
    if (this.reason === null) this.log.add('warning', null, `New texts cannot be searched yet: ${reasonOf(error)}`);
  }

  private hear(event: EngineEvent): void {
    this.meter.add(event);
    if (this.gainsSinceMs === null && this.objectsGained() >= 0) this.gainsSinceMs = performance.now();
    const line = logLineOf(event);
    if (line !== null) this.log.add(line.level, line.objectName, line.text);
  }

  gainingMs(): number {
    if (this.gainsSinceMs === null) return 0;
    const ms = performance.now() - this.gainsSinceMs;
    return this.objectsGained() > 0 ? ms : ms / LONG_OBJECTS;
  }

  /** Beyond those that the worker before this one had read. */
  private objectsGained(): number {
    return this.meter.objectsDone - (this.session.progress.objectsDone ?? 0);
  }

  /** Browsers that show the run ask again, seldom enough for a hundred runs at the same time. */
  private async publishProgress(): Promise<void> {
    if (performance.now() - this.publishedMs < PUBLISH_EVERY_MS) return;
    this.publishedMs = performance.now();
    await publish(this.services.database, { name: 'm365-jobs.changed', providerId: this.session.providerId });
  }

  /** A database that does not answer now is asked again a second later; the run goes on. */
  private async report(): Promise<void> {
    const { services, session, worker } = this;
    try {
      await this.log.flush();
      await storeProgress(services.database, session, worker.id, this.meter.progress());
      await this.publishProgress();
    } catch (error) {
      services.log.warn({ session: session.id, reason: reasonOf(error) }, 'the progress of a run could not be stored');
    }
  }
}

/** What a person can do something about is said; the rest is a fault of the program, and is in its log. */
function messageOf(error: unknown, { log }: RunServices, { id }: ClaimedSession): string {
  if (error instanceof EngineError) return error.message;
  log.error({ err: error, session: id }, 'a run failed unexpectedly');
  return `The run failed unexpectedly: ${reasonOf(error)}`;
}
