import { dayOf } from '@keepwatch/contract/backup-days/backup-day';
import type { Result } from '@keepwatch/contract/runs/values';
import type { ResultCounts } from '@keepwatch/contract/sources/sources';
import { dailyChecks, sources } from '../entities/places.ts';
import { useBackupClock, useToday } from '../kit/backup-clock.ts';
import { formatCount } from '../kit/format/numbers.ts';
import { ScreenLink } from '../kit/screen-link.tsx';
import type { Sync } from './last-sync.data.ts';

/** How many runs were read without a job, each figure leading to where they are worked on. */
export function UnassignedRuns({ sync: { unassigned, unmatched } }: { sync: Sync }) {
  const clock = useBackupClock();
  const today = useToday(clock);
  return (
    <>
      {unassigned !== undefined && (
        <p>
          <ScreenLink
            to={dailyChecks.at({
              unassigned: true,
              state: 'pending',
              day: `${dayOf(clock, Date.parse(unassigned.since))}..${today}`,
            })}
          >
            {runsText(unassigned.results)} could not be assigned to one job.
          </ScreenLink>
        </p>
      )}
      {unmatched !== undefined && (
        <p>
          <ScreenLink to={sources.at()}>
            {runsText(unmatched.results)} fit no job and are missing from all figures.
          </ScreenLink>
        </p>
      )}
    </>
  );
}

const WORDS: Readonly<Record<Result, (runs: string) => string>> = {
  Failed: (runs) => `failed ${runs}`,
  DidntRun: (runs) => `missed ${runs}`,
  Warning: (runs) => `${runs} with warnings`,
  Running: (runs) => `running ${runs}`,
  Success: (runs) => `successful ${runs}`,
};

/** `460 failed runs and 1 run with warnings`. */
export function runsText(results: ResultCounts): string {
  const parts = results.map(({ result, runs }) => `${formatCount(runs)} ${WORDS[result](runs === 1 ? 'run' : 'runs')}`);
  return new Intl.ListFormat('en').format(parts);
}
