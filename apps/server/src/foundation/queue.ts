import { PgBoss } from 'pg-boss';
import type { Log } from './log.ts';

/** The work that runs outside requests. A name is typed to what it carries. */
export interface Jobs {
  'monitoring.sync': { sourceId: string };
  'monitoring.plan-syncs': Record<string, never>;
  'monitoring.find-missed-runs': Record<string, never>;
  'monitoring.end-ignores': Record<string, never>;
  'monitoring.keep-partitions': Record<string, never>;
  'identity.forget-expired': Record<string, never>;
}
export type JobName = keyof Jobs;

export interface Queue {
  /** Sends one job. With `key`, a second one with the same key is dropped while the first still waits or runs. */
  send<N extends JobName>(name: N, payload: Jobs[N], key?: string): Promise<void>;
  work<N extends JobName>(
    name: N,
    options: { atOnce: number; limitSeconds: number },
    handler: (payload: Jobs[N], signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /** Plans a job by a cron expression in UTC. */
  plan<N extends JobName>(name: N, cron: string, payload: Jobs[N]): Promise<void>;
  isAnswering(): Promise<boolean>;
  stop(): Promise<void>;
}

const NAMES: readonly JobName[] = [
  'monitoring.sync',
  'monitoring.plan-syncs',
  'monitoring.find-missed-runs',
  'monitoring.end-ignores',
  'monitoring.keep-partitions',
  'identity.forget-expired',
];

/** Opens the queue in the same PostgreSQL. `worker` also plans and works; without it jobs are only sent. */
export async function openQueue(url: string, log: Log, options: { worker: boolean }): Promise<Queue> {
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'keepwatch queue',
    max: options.worker ? 6 : 2,
    supervise: options.worker,
    schedule: options.worker,
  });
  boss.on('error', (error) => log.error({ err: error }, 'the queue reported an error'));
  await boss.start();
  for (const name of NAMES)
    await boss.createQueue(name, {
      policy: 'exclusive',
      retryLimit: 0,
      expireInSeconds: 3_600,
      retentionSeconds: 86_400,
    });
  /** Aborts running jobs when the queue stops, which then waits for them: they still use the database. */
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    async send(name, payload, key) {
      await boss.send(name, payload, { singletonKey: key ?? name });
    },
    async work(name, { atOnce, limitSeconds }, handler) {
      const options = { localConcurrency: atOnce, pollingIntervalSeconds: 0.5, batchSize: 1 };
      await boss.work<Jobs[typeof name]>(name, options, async ([job]) => {
        if (job === undefined) return;
        const signal = AbortSignal.any([job.signal, stopping.signal, AbortSignal.timeout(limitSeconds * 1_000)]);
        const work = handler(job.data, signal).catch((error) => {
          log.error({ err: error, job: name }, 'a job failed');
          throw error;
        });
        running.add(work);
        await work.finally(() => running.delete(work));
      });
    },
    async plan(name, cron, payload) {
      await boss.schedule(name, cron, payload, { tz: 'UTC' });
    },
    async isAnswering() {
      return (await boss.getQueue(NAMES[0] ?? '')) !== null;
    },
    async stop() {
      stopping.abort(new Error('The program is being stopped.'));
      await Promise.allSettled(running);
      await boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}
