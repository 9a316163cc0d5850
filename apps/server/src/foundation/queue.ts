import { type ConstructorOptions, PgBoss } from 'pg-boss';
import type { Connection } from './database.ts';
import type { Job, JobWork } from './jobs.ts';
import type { Log } from './log.ts';

export interface Queue {
  /** Sends a job in the transaction of `connection`: it exists exactly if that commits. */
  send<Payload extends object>(connection: Connection, job: Job<Payload>, payload: Payload): Promise<void>;
  isAnswering(): Promise<boolean>;
}

/** Jobs by what has become of them, as of the last count, which is made every 20 seconds. Failed ones are deleted after a day. */
export interface QueueFigures {
  waiting: number;
  running: number;
  failed: number;
  /** The jobs of which runs failed, those first that failed most. */
  failing: { name: string; failed: number }[];
}

/** The queue of a process that opened it. */
export interface OpenQueue extends Queue {
  figures(): Promise<QueueFigures>;
  /** Runs these jobs from now on, by their schedules too. Schedules of jobs that are no longer declared end. */
  run<Services>(works: readonly JobWork<Services>[], services: Services): Promise<void>;
  stop(): Promise<void>;
}

interface QueueOptions {
  jobs: readonly Job[];
  /** Whether this process runs jobs, or only sends them. */
  runsJobs: boolean;
  /** What a test makes faster. */
  tuning?: Pick<ConstructorOptions, 'superviseIntervalSeconds' | 'monitorIntervalSeconds'>;
}

/** A job whose process gives no sign of life for so long counts as failed. */
const HEARTBEAT_SECONDS = 20;
/** How long a job that is past its time limit may still run before it is ended. */
const LAST_SECONDS = 60;
const DAY_SECONDS = 86_400;

/** Opens the queue in the same PostgreSQL, with one queue for each declared job. */
export async function openQueue(url: string, log: Log, { jobs, runsJobs, tuning }: QueueOptions): Promise<OpenQueue> {
  requireOwnNames(jobs);
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'keepwatch queue',
    max: runsJobs ? 6 : 2,
    supervise: runsJobs,
    schedule: runsJobs,
    // How soon the jobs of a killed process are noticed.
    superviseIntervalSeconds: 20,
    monitorIntervalSeconds: 20,
    ...tuning,
  });
  boss.on('error', (error) => log.error({ err: error }, 'the queue reported an error'));
  await boss.start();
  for (const job of jobs) await createQueue(boss, job);
  const running = runningJobs(log);
  return {
    send: (connection, job, payload) => send(boss, connection, job, payload),
    async run(works, services) {
      for (const { job, run } of works) {
        const options = { localConcurrency: job.concurrency, groupConcurrency: 1, pollingIntervalSeconds: 0.5 };
        await boss.work<object>(job.name, options, async ([sent]) => {
          if (sent !== undefined) await running.add(job, sent.signal, (signal) => run(services, sent.data, signal));
        });
      }
      await schedule(
        boss,
        works.map(({ job }) => job),
      );
    },
    figures: async () => figuresOf(await boss.getQueues()),
    async isAnswering() {
      return (await boss.getQueue(jobs[0]?.name ?? '')) !== null;
    },
    async stop() {
      await running.stop();
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}

function requireOwnNames(jobs: readonly Job[]): void {
  const names = jobs.map(({ name }) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw new Error(`Two jobs are named ${twice}. Give one of them another name.`);
}

async function createQueue(boss: PgBoss, { name, retry, timeLimitSeconds }: Job): Promise<void> {
  const options = {
    retryLimit: retry?.times ?? 0,
    retryDelay: retry?.firstPauseSeconds ?? 0,
    retryBackoff: retry !== undefined,
    ...(retry === undefined ? {} : { retryDelayMax: retry.longestPauseSeconds }),
    expireInSeconds: timeLimitSeconds + LAST_SECONDS,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retentionSeconds: 7 * DAY_SECONDS,
    deleteAfterSeconds: DAY_SECONDS,
  };
  await boss.createQueue(name, { policy: 'short', ...options });
  // An earlier version may have created it with other options.
  await boss.updateQueue(name, options);
}

async function send<Payload extends object>(
  boss: PgBoss,
  connection: Connection,
  job: Job<Payload>,
  payload: Payload,
): Promise<void> {
  const db = { executeSql: (text: string, values?: unknown[]) => connection.query(text, values) };
  const key = job.key?.(payload);
  const group = groupOf(job, payload);
  if (key === undefined) {
    await boss.send(job.name, payload, { db, singletonKey: crypto.randomUUID(), ...group });
    return;
  }
  // A waiting job is updated rather than left alone: its row is then locked until the caller commits, and no worker begins it
  // with what was true before. Where a worker began it in between, this is a new job.
  for (let jobs: readonly string[] = []; jobs.length === 0; )
    ({ jobs } = await boss.upsert(job.name, payload, { db, singletonKey: key, ...group }));
}

type Counts = Awaited<ReturnType<PgBoss['getQueues']>>[number];

function figuresOf(queues: readonly Counts[]): QueueFigures {
  const sum = (countOf: (queue: Counts) => number) => queues.reduce((total, queue) => total + countOf(queue), 0);
  const failing = queues.flatMap(({ name, failedCount }) => (failedCount > 0 ? [{ name, failed: failedCount }] : []));
  return {
    waiting: sum(({ readyCount }) => readyCount),
    running: sum(({ activeCount }) => activeCount),
    failed: sum(({ failedCount }) => failedCount),
    failing: failing.toSorted((one, other) => other.failed - one.failed),
  };
}

function groupOf<Payload extends object>(job: Job<Payload>, payload: Payload): { group?: { id: string } } {
  const id = job.group?.(payload) ?? job.key?.(payload);
  return id === undefined ? {} : { group: { id } };
}

async function schedule(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  for (const { name, key } of await boss.getSchedules())
    if (!jobs.some((job) => job.name === name && job.cron !== undefined)) await boss.unschedule(name, key);
  for (const job of jobs) {
    if (job.cron === undefined) continue;
    const options = { singletonKey: job.name, group: { id: job.name } };
    await boss.schedule(job.name, job.cron, {}, { tz: 'UTC', ...options });
    if (job.atStart === true) await boss.send(job.name, {}, options);
  }
}

/** The jobs that this process runs. Stopping aborts them and waits for them: they still use the database. */
function runningJobs(log: Log) {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    async add(job: Job, lost: AbortSignal, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
      const signal = AbortSignal.any([lost, stopping.signal, AbortSignal.timeout(job.timeLimitSeconds * 1_000)]);
      const work = run(signal).catch((error) => {
        // A job that was stopped with the program is run again by the next one.
        if (!stopping.signal.aborted) log.error({ err: error, job: job.name }, 'a job failed');
        throw error;
      });
      running.add(work);
      await work.finally(() => running.delete(work));
    },
    async stop(): Promise<void> {
      stopping.abort(new Error('The program is being stopped.'));
      await Promise.allSettled(running);
    },
  };
}
