import type { getSpreadsheetStats } from '@keepwatch/contract/insights/calendar';
import type { CallReply } from '@keepwatch/contract/wire/call';
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
  if (data.data.jobs > 0) return <NoProblems month={query.month} totals={data.data} onClear={onClear} />;
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

type Totals = CallReply<typeof getSpreadsheetStats>['data'];

interface NoProblemsProps extends Pick<CalendarQuery, 'month'> {
  totals: Totals;
  onClear: () => void;
}

/** A job that has not run, or still runs, is neither fine nor a problem: most are on the first of a month. */
function NoProblems({ month, totals, onClear }: NoProblemsProps) {
  const { title, text } = whatIsKnown(totals);
  return (
    <EmptyState title={`${title} in ${formatMonth(month)}`} text={text}>
      <Button variant="default" onClick={onClear}>
        Show all jobs
      </Button>
    </EmptyState>
  );
}

function whatIsKnown({ jobs, succeeded, days }: Totals) {
  const isOne = jobs === 1;
  const all = formatCount(jobs);
  const hasRuns = days.some(({ success, running }) => success + running > 0);
  if (!hasRuns)
    return {
      title: 'No runs',
      text: isOne ? 'The only matching job did not run.' : `None of the ${all} matching jobs ran.`,
    };
  if (succeeded === jobs)
    return {
      title: 'No problems',
      text: isOne ? 'The only matching job was fine.' : `All ${all} matching jobs were fine.`,
    };
  const known =
    succeeded === 0
      ? 'no matching job has a successful run of its own'
      : `only ${formatCount(succeeded)} of ${all} matching jobs have a successful run of their own`;
  return { title: 'Not every job has succeeded', text: `No problem was reported, but ${known}.` };
}
