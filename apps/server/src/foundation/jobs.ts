import type * as z from 'zod/mini';
import type { Pool } from './database.ts';

/** How often a job that failed is run again, with pauses that double from the first to the longest. */
export interface Retry {
  times: number;
  firstPauseSeconds: number;
  longestPauseSeconds: number;
}

/** Work that runs outside requests, declared once: its name, what it carries, and how it is run. */
export interface Job<Payload extends object = object> {
  /** `capability.what-it-does`. */
  name: string;
  /** Parsed before each run: what waits may come from an earlier version. */
  payload: z.ZodMiniType<Payload>;
  /** Without it, a job that failed is not run again: the next one of its schedule does the work. */
  retry?: Retry;
  /** Jobs that one worker runs at the same time. */
  concurrency: number;
  timeLimitSeconds: number;
  /** When it runs on its own, as a cron expression in UTC. Its payload is then empty. */
  cron?: string;
  /** Runs once more when a worker starts, instead of at the next time of `cron` only. */
  atStart?: boolean;
  /**
   * Of equal keys one job waits at most: another one that is sent joins it, with the payload of the newer. A job that already runs is
   * not joined, as it may have begun with what was true before. Without a key every job that is sent runs.
   */
  key?(payload: Payload): string;
  /** Of one group one job runs at a time; by default those of one key. */
  group?(payload: Payload): string;
}

/** Declares a job. A scheduled one has one key, so that it never waits twice. */
export function declareJob<Payload extends object>(job: Job<Payload>): Job<Payload> {
  return job.cron === undefined ? job : { key: () => job.name, ...job };
}

/** What every job may use. A handler that needs more names it as the type of its services. */
export interface JobServices {
  database: Pool;
  now(): Date;
}

/** A job and its handler. */
export interface JobWork<Services = JobServices> {
  job: Job;
  run: (services: Services, payload: unknown, signal: AbortSignal) => Promise<void>;
}

/** States what a job does. The signal is aborted when its time is up and when the program stops. */
export function work<Payload extends object, Services = JobServices>(
  job: Job<Payload>,
  handler: (services: Services, payload: Payload, signal: AbortSignal) => Promise<void>,
): JobWork<Services> {
  return { job, run: (services, payload, signal) => handler(services, job.payload.parse(payload), signal) };
}
