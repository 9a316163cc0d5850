import type { JobExecutionDetail } from '@keepwatch/contract/monitoring/job-executions';
import type { ReactNode } from 'react';
import { formatDateTime, formatRelative } from '../kit/format/dates.ts';
import { formatDuration } from '../kit/format/durations.ts';
import { formatBytes, formatCount } from '../kit/format/numbers.ts';
import { SourceGroup } from './execution-columns.tsx';
import styles from './execution-facts.module.css';

/**
 * What is known of a run and its job. What the source does not tell is a dash, never left out: nothing jumps. Of an expected
 * run that did not happen there is no duration and no size to tell.
 */
export function ExecutionFacts({ run, now }: { run: JobExecutionDetail; now: Date }) {
  const facts = [...(run.result === 'DidntRun' ? factsOfMissed(run) : factsOfRun(run)), ...factsOfJob(run, now)];
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Fact = [name: string, value: ReactNode];

function factsOfMissed(run: JobExecutionDetail): Fact[] {
  return [['Expected', formatDateTime(run.startedAt)]];
}

function factsOfRun(run: JobExecutionDetail): Fact[] {
  return [
    ['Started', formatDateTime(run.startedAt)],
    ['Ended', formatDateTime(run.endedAt)],
    ['Duration', formatDuration(run.durationMs)],
    ['Transferred', formatBytes(run.transferredBytes)],
    ['Processed', formatBytes(run.processedBytes)],
    ['Files', run.processedFiles === null ? '–' : formatCount(run.processedFiles)],
    ['Size', formatBytes(run.sizeBytes)],
    ['Attempts', attemptsOf(run)],
  ];
}

function factsOfJob(run: JobExecutionDetail, now: Date): Fact[] {
  return [
    ['Source', <SourceGroup key="source" group={run.sourceGroup} />],
    ['Type', run.jobType ?? '–'],
    ['Server', run.serverName ?? '–'],
    ['Target', run.targetName ?? '–'],
    ['Schedule', scheduleOf(run)],
    ['Next run', formatDateTime(run.nextRunAt)],
    // Of runs that may be of several jobs nothing is remembered.
    ['Last success', run.sharedBy !== null ? '–' : <LastSuccess key="last-success" at={run.lastSuccessAt} now={now} />],
    ['Match', run.match === 'exact' ? 'Exact' : 'Doubtful'],
  ];
}

/** The duration of a run of several attempts has the waits between them in it: how long the last one took is beside their number. */
function attemptsOf({ lastAttemptMs, attempts }: JobExecutionDetail): string {
  if (attempts === 1) return '1';
  const count = `${formatCount(attempts)} attempts`;
  return lastAttemptMs === null ? count : `${formatDuration(lastAttemptMs)} (last attempt) · ${count}`;
}

function scheduleOf({ scheduleType, jobScheduleState }: JobExecutionDetail): string {
  const type = scheduleType ?? '–';
  return jobScheduleState === 'Disabled' && type !== 'Disabled' ? `${type}, disabled` : type;
}

function LastSuccess({ at, now }: { at: string | null; now: Date }) {
  if (at === null) return 'Never';
  return <time title={formatDateTime(at)}>{formatRelative(at, now)}</time>;
}
