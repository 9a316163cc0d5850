import type { Job } from './job.ts';
import { contradictions, failures, fillText, repositoryFull, warnings } from './messages.ts';
import { bell, mix, pick, uid, unit, whole } from './random.ts';
import { usedBytes } from './repositories.ts';
import { dayMs, slotNumber } from './schedule.ts';
import { type Condition, conditionAt } from './trouble.ts';

const secondMs = 1000;

/** One attempt of one run; what the vendor calls a session. */
export interface Attempt {
  job: Job;
  slot: number;
  /** 0 for the first attempt, 1 for the first retry. */
  number: number;
  startMs: number;
  endMs: number;
  result: 'Success' | 'Warning' | 'Failed';
  message: string | undefined;
  sourceBytes: number;
  readBytes: number;
  transferredBytes: number;
  /** Size of all backups of the job after the attempt. */
  chainBytes: number;
}

/**
 * The attempts of the run that was due at `slot`, oldest first; none when the run did not happen.
 * A pure function of the job and the slot: history is computed whenever it is asked for, and never stored.
 */
export function attemptsOf(job: Job, slot: number): Attempt[] {
  const condition = conditionAt(job, slot);
  if (condition.isMissed) return [];
  const attempts: Attempt[] = [];
  let startMs = firstStart(job, slot);
  if (startMs === undefined) return [];
  for (let number = 0; number <= condition.failuresBefore; number += 1) {
    const attempt = buildAttempt(job, slot, number, startMs, condition);
    attempts.push(attempt);
    startMs = attempt.endMs + job.retryWaitMs;
  }
  return attempts;
}

export function sessionUid(attempt: Attempt): string {
  return uid(attempt.job.id, Math.floor(attempt.slot / 60_000), attempt.number, 60);
}

/** Seconds a run of the job takes when nothing is the matter. */
export function usualSeconds(job: Job): number {
  const read = job.sourceBytes * job.changeShare;
  return Math.min(45 + read / job.bytesPerSecond, longestSeconds(job));
}

function longestSeconds(job: Job): number {
  const { schedule } = job;
  if (schedule.kind === 'continuously') return schedule.periodMinutes * 56;
  return schedule.kind === 'periodically' ? schedule.periodMinutes * 30 : 6 * 3600;
}

/** A chained run starts when the last attempt of the run before it has ended, and not at all when that did not run. */
function firstStart(job: Job, slot: number): number | undefined {
  const delayMs = whole(1, 50, job.id, slotNumber(job.schedule, slot), 61) * secondMs;
  if (!job.after) return slot + delayMs;
  const before = attemptsOf(job.after, slot).at(-1);
  return before && before.endMs + delayMs;
}

function buildAttempt(job: Job, slot: number, number: number, startMs: number, condition: Condition): Attempt {
  const isLast = number === condition.failuresBefore;
  const result = isLast ? condition.result : 'Failed';
  const noise = (salt: number) => 1 + 0.07 * bell(job.id, slotNumber(job.schedule, slot), number, salt);
  const progress = result === 'Failed' ? 0.05 + 0.5 * unit(job.id, slotNumber(job.schedule, slot), number, 62) : 1;
  const growth = 1 + 0.12 * (((slot / dayMs) % 365) / 365);
  const sourceBytes = job.sourceBytes * growth * condition.sizeFactor;
  const readBytes = sourceBytes * job.changeShare * noise(63) * progress * Math.min(condition.transferFactor, 4);
  const seconds = usualSeconds(job) * noise(64) * condition.durationFactor * progress;
  return {
    job,
    slot,
    number,
    startMs,
    endMs: startMs + Math.max(4, Math.round(Math.min(seconds, 11 * 3600))) * secondMs,
    result,
    message: messageOf(job, slot, result, condition, isLast),
    sourceBytes: Math.floor(sourceBytes),
    readBytes: Math.floor(readBytes),
    transferredBytes: Math.floor(readBytes * (0.42 + 0.2 * unit(job.id, 65))),
    chainBytes: Math.floor(sourceBytes * (0.8 + 0.6 * unit(job.id, 66))),
  };
}

function messageOf(
  job: Job,
  slot: number,
  result: Attempt['result'],
  condition: Condition,
  isLast: boolean,
): string | undefined {
  const text = textOf(job, result, condition, isLast);
  if (text === undefined) return undefined;
  const free = job.repository?.capacityBytes ? job.repository.capacityBytes - usedBytes(job.repository, slot) : 0;
  return fillText(text, {
    object: pick(job.objects, job.id, condition.textNumber, 67),
    host: `${job.server.name.toLowerCase()}-esx${1 + (condition.textNumber % 3)}`,
    repository: job.repository?.name ?? 'the target repository',
    server: job.server.name,
    job: job.name,
    code: String(1000 + (mix(job.id, condition.textNumber, 68) % 9000)),
    gigabytes: (free / 1024 ** 3).toFixed(1),
  });
}

function textOf(job: Job, result: Attempt['result'], condition: Condition, isLast: boolean): string | undefined {
  if (condition.cause === 'repository-full') return repositoryFull;
  if (condition.cause === 'contradiction') return contradictions[condition.textNumber % contradictions.length];
  if (result === 'Success') return undefined;
  const texts = result === 'Failed' || !isLast ? failures[job.messages] : warnings[job.messages];
  return texts[condition.textNumber % texts.length];
}
