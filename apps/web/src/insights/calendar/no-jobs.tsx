import { Button } from '@mantine/core';
import { formatMonth } from '../../entities/calendar/month.ts';
import { sources } from '../../entities/places.ts';
import { formatCount } from '../../kit/format/numbers.ts';
import { ScreenLink, useMayOpen } from '../../kit/screen-link.tsx';
import { EmptyState } from '../../kit/states/empty-state.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import type { CalendarQuery, useCalendarStats } from './calendar.data.ts';

interface NoJobsProps {
  query: CalendarQuery;
  /** Of the jobs that match, with and without problems. */
  stats: ReturnType<typeof useCalendarStats>;
  onClear: () => void;
}

/** In the place of a calendar without rows. That all is fine is said only where jobs match, and every one of them succeeded. */
export function NoJobs({ query, stats, onClear }: NoJobsProps) {
  const { withTrouble, ...jobs } = query.filter;
  const isNarrowed = Object.keys(jobs).length > 0;
  if (!withTrouble) return isNarrowed ? <NoMatch query={query} onClear={onClear} /> : <NoneYet {...query} />;
  const { data, error, isPlaceholderData, refetch } = stats;
  if (data === undefined || isPlaceholderData)
    return error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />;
  const { jobs: matching, succeeded } = data.data;
  if (matching > 0) return <NoProblems month={query.month} counts={{ matching, succeeded }} onClear={onClear} />;
  return isNarrowed ? <NoMatch query={query} onClear={onClear} /> : <NoneYet {...query} />;
}

function NoneYet({ month }: Pick<CalendarQuery, 'month'>) {
  const canConnect = useMayOpen(sources);
  return (
    <EmptyState
      title={`No jobs in ${formatMonth(month)}`}
      text="Jobs appear here as soon as a source has been read, or a tool has reported a run."
    >
      {canConnect && <ScreenLink to={sources.at()}>Connect a source</ScreenLink>}
    </EmptyState>
  );
}

function NoMatch({ query, onClear }: Pick<NoJobsProps, 'query' | 'onClear'>) {
  const { search } = query.filter;
  return (
    <EmptyState
      title={search === undefined ? 'No jobs match these filters' : `No job matches '${search}'`}
      text="Remove a filter to see more."
    >
      <Button variant="default" onClick={onClear}>
        Reset filters
      </Button>
    </EmptyState>
  );
}

interface JobCounts {
  matching: number;
  /** Of them, those with a successful run. */
  succeeded: number;
}

interface NoProblemsProps extends Pick<CalendarQuery, 'month'> {
  counts: JobCounts;
  onClear: () => void;
}

function NoProblems({ month, counts, onClear }: NoProblemsProps) {
  const absent = counts.succeeded > 0 ? 'problems' : 'completed runs';
  return (
    <EmptyState title={`No ${absent} in ${formatMonth(month)}`} text={textOf(counts)}>
      <Button variant="default" onClick={onClear}>
        Show all jobs
      </Button>
    </EmptyState>
  );
}

/** On the first of a month most jobs have not run yet: these are neither fine nor a problem. */
function textOf({ matching, succeeded }: JobCounts): string {
  if (matching === 1)
    return succeeded === 1 ? 'The only matching job was fine.' : 'The only matching job completed no run.';
  if (succeeded === 0) return `None of the ${formatCount(matching)} matching jobs completed a run.`;
  if (succeeded === matching) return `All ${formatCount(matching)} matching jobs were fine.`;
  return `${formatCount(succeeded)} of ${formatCount(matching)} matching jobs completed a run, without problems.`;
}
