import type { DayCounts } from '@keepwatch/contract/insights/insights';
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

/** In the place of a calendar without rows. That all is fine is said only where jobs match, and ran. */
export function NoJobs({ query, stats, onClear }: NoJobsProps) {
  const { withTrouble, ...jobs } = query.filter;
  const isNarrowed = Object.keys(jobs).length > 0;
  if (!withTrouble) return isNarrowed ? <NoMatch query={query} onClear={onClear} /> : <NoneYet {...query} />;
  const { data, error, isPlaceholderData, refetch } = stats;
  if (data === undefined || isPlaceholderData)
    return error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />;
  const { jobs: matching, days } = data.data;
  if (matching > 0) return <NoProblems month={query.month} matching={matching} days={days} onClear={onClear} />;
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

interface NoProblemsProps extends Pick<CalendarQuery, 'month'> {
  matching: number;
  days: readonly DayCounts[];
  onClear: () => void;
}

function NoProblems({ month, matching, days, onClear }: NoProblemsProps) {
  const hasRuns = days.some(({ success, running }) => success + running > 0);
  return (
    <EmptyState
      title={`No ${hasRuns ? 'problems' : 'runs'} in ${formatMonth(month)}`}
      text={hasRuns ? fineText(matching) : idleText(matching)}
    >
      <Button variant="default" onClick={onClear}>
        Show all jobs
      </Button>
    </EmptyState>
  );
}

function fineText(matching: number): string {
  return matching === 1 ? 'The only matching job was fine.' : `All ${formatCount(matching)} matching jobs were fine.`;
}

function idleText(matching: number): string {
  return matching === 1
    ? 'The only matching job did not run.'
    : `None of the ${formatCount(matching)} matching jobs ran.`;
}
