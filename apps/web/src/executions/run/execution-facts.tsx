import type { JobExecutionDetail } from '@keepwatch/contract/executions/job-executions';
import type { ReactNode } from 'react';
import { useBackupClock } from '../../kit/backup-clock.ts';
import { Fact, Facts } from '../../kit/facts/facts.tsx';
import { BackupTime } from '../../kit/format/backup-time.tsx';
import { formatDateTime, formatRelative } from '../../kit/format/dates.ts';
import { formatDuration } from '../../kit/format/durations.ts';
import { formatJobType } from '../../kit/format/job-types.ts';
import { formatBytes, formatCount } from '../../kit/format/numbers.ts';
import { RunSource } from '../execution-columns.tsx';
import { RunDuration } from './run-duration.tsx';

/** What is known of a run and its job. What the source does not report has no row: a tool gives few of these facts. */
export function ExecutionFacts({ run, now }: { run: JobExecutionDetail; now: Date }) {
  const ofRun = run.result === 'DidntRun' ? factsOfMissed(run) : factsOfRun(run);
  return (
    <Facts isWide hidesUnknown>
      {[...ofRun, ...factsOfJob(run, now)].map(([term, value]) => (
        <Fact key={term} term={term}>
          {value}
        </Fact>
      ))}
    </Facts>
  );
}

type TermAndValue = [name: string, value: ReactNode];

function factsOfMissed(run: JobExecutionDetail): TermAndValue[] {
  return [['Expected', <BackupTime key="expected" at={run.startedAt} />]];
}

function factsOfRun(run: JobExecutionDetail): TermAndValue[] {
  return [
    ['Started', <BackupTime key="started" at={run.startedAt} />],
    ['Ended', run.endedAt === null ? null : <BackupTime key="ended" at={run.endedAt} />],
    ['Duration', isDurationLeftOut(run) ? null : <Duration key="duration" run={run} />],
    ['Transferred', known(run.transferredBytes, formatBytes)],
    ['Processed', known(run.processedBytes, formatBytes)],
    ['Files', known(run.processedFiles, formatCount)],
    ['Size', known(run.sizeBytes, formatBytes)],
    ['Attempts', attemptsOf(run)],
  ];
}

function factsOfJob(run: JobExecutionDetail, now: Date): TermAndValue[] {
  return [
    ['Source', <RunSource key="source" run={run} />],
    ['Type', known(run.jobType, formatJobType)],
    ['Server', run.serverName],
    ['Target', run.targetName],
    ['Schedule', scheduleOf(run)],
    ['Next run', run.nextRunAt === null ? null : <BackupTime key="next" at={run.nextRunAt} />],
    // Of runs that may be of several jobs nothing is remembered.
    [
      'Last success',
      run.sharedBy === null ? <LastSuccess key="last-success" at={run.lastSuccessAt} now={now} /> : null,
    ],
  ];
}

function known<T>(value: T | null, print: (value: T) => string): string | null {
  return value === null ? null : print(value);
}

/** Tools often say no more than how it ended; of a console it is worth a line that it does not say. */
function isDurationLeftOut({ durationMs, result, tool }: JobExecutionDetail): boolean {
  return tool !== null && durationMs === null && result !== 'Running';
}

function Duration({ run }: { run: JobExecutionDetail }) {
  const { durationMs, result } = run;
  if (result === 'Running')
    return (
      <>
        <RunDuration run={run} /> so far
      </>
    );
  return durationMs === null ? 'Not reported' : <RunDuration run={run} />;
}

/** The duration of a run of several attempts has the waits between them in it: how long the last one took is beside their number. */
function attemptsOf({ lastAttemptMs, attempts }: JobExecutionDetail): string | null {
  if (attempts === 1) return null;
  const count = `${formatCount(attempts)} attempts`;
  return lastAttemptMs === null ? count : `${formatDuration(lastAttemptMs)} (last attempt) · ${count}`;
}

function scheduleOf({ scheduleType, jobScheduleState }: JobExecutionDetail): string | null {
  if (jobScheduleState !== 'Disabled' || scheduleType === 'Disabled') return scheduleType;
  return scheduleType === null ? 'Disabled' : `${scheduleType}, disabled`;
}

function LastSuccess({ at, now }: { at: string | null; now: Date }) {
  const { timeZone } = useBackupClock();
  if (at === null) return 'Never';
  return <time title={formatDateTime(at, timeZone)}>{formatRelative(at, now)}</time>;
}
