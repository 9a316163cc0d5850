import type { CalendarRow } from '@keepwatch/contract/monitoring/insight';
import { Button, Switch } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { DAILY_CHECKS_PATH, dailyChecksSearch } from '../kit/daily-checks-link.tsx';
import { ChoiceFilter } from '../kit/filters/choice-filter.tsx';
import { CompanyFilter } from '../kit/filters/company-filter.tsx';
import { FilterBar } from '../kit/filters/filter-bar.tsx';
import { SearchInput } from '../kit/filters/search-input.tsx';
import { useAllows } from '../kit/portal.tsx';
import { SOURCE_GROUP_CHOICES } from '../kit/source-groups.ts';
import { EmptyState } from '../kit/states/empty-state.tsx';
import { ErrorState } from '../kit/states/error-state.tsx';
import { useNow } from '../kit/use-now.ts';
import { utcDayOf } from '../kit/utc-day.ts';
import { useCalendar, useCalendarStats, usePrefetchMonth } from './calendar.data.ts';
import { isFiltered, useCalendarFilters } from './calendar-filters.ts';
import { CalendarGrid } from './calendar-grid.tsx';
import { CalendarLegend } from './calendar-legend.tsx';
import { hasRuns } from './cell.ts';
import { daysOfMonth, formatMonth, type MonthDay } from './month.ts';
import { MonthSwitch } from './month-switch.tsx';

const CLEAR = { company: [], source: [], search: '', trouble: false };

/** Jobs by days, a month at a time: which ones have trouble, and for how long. */
export default function CalendarScreen() {
  const { filters, setFilters, question, current } = useCalendarFilters();
  const pages = useCalendar(question);
  const stats = useCalendarStats(question);
  const prefetch = usePrefetchMonth(question);
  const today = useNow(utcDayOf);
  const days = useMemo(() => daysOfMonth(question.month, new Date(today)), [question.month, today]);
  // Below it two columns of names would leave the days less than half of a window with a pinned sidebar.
  const isNarrow = useMediaQuery('(max-width: 900px)', false);
  const onOpen = useOpenRuns();
  return (
    <>
      <FilterBar>
        <MonthSwitch
          month={question.month}
          current={current}
          onChange={(month) => setFilters({ month: month === current ? '' : month }, { push: true })}
          onReach={prefetch}
        />
        <CompanyFilter companyIds={filters.company} onChange={(company) => setFilters({ company })} />
        <ChoiceFilter
          label="Source"
          choices={SOURCE_GROUP_CHOICES}
          values={filters.source}
          onChange={(source) => setFilters({ source })}
        />
        <SearchInput label="Search jobs" value={filters.search} onChange={(search) => setFilters({ search })} />
        <Switch
          label="Only with trouble"
          checked={filters.trouble}
          onChange={(event) => setFilters({ trouble: event.currentTarget.checked })}
        />
      </FilterBar>
      {pages.error !== null && pages.count === null ? (
        <ErrorState what="the calendar" error={pages.error} onRetry={pages.retry} />
      ) : pages.count === 0 ? (
        <NoJobs question={question} onClear={() => setFilters(CLEAR)} />
      ) : (
        <>
          <CalendarGrid
            question={question}
            days={days}
            pages={pages}
            totals={stats.isPlaceholderData ? undefined : stats.data?.data}
            isNarrow={isNarrow}
            onSort={(sort) => setFilters({ sort })}
            onOpen={onOpen}
          />
          <CalendarLegend />
        </>
      )}
    </>
  );
}

/** Leads to the runs of a job on a day. */
function useOpenRuns() {
  const navigate = useNavigate();
  return ({ jobInstanceUid }: CalendarRow, { day }: MonthDay, letter: string | undefined) => {
    if (!hasRuns(letter)) return;
    void navigate({ to: DAILY_CHECKS_PATH, search: dailyChecksSearch({ day, job: [jobInstanceUid], state: 'all' }) });
  };
}

function NoJobs({
  question,
  onClear,
}: {
  question: ReturnType<typeof useCalendarFilters>['question'];
  onClear: () => void;
}) {
  const canConnect = useAllows('monitoring.sources');
  if (!isFiltered(question)) {
    return (
      <EmptyState
        title={`No jobs in ${formatMonth(question.month)}`}
        text="Jobs appear here as soon as a source has been read, or a tool has reported a run."
      >
        {canConnect && <Link to="/monitoring/sources">Connect a source</Link>}
      </EmptyState>
    );
  }
  const isFine = question.filter.withTrouble;
  return (
    <EmptyState
      title={isFine ? `No trouble in ${formatMonth(question.month)}` : 'No job fits these filters'}
      text={isFine ? 'Every job that fits the filters was fine on every day.' : 'Take a filter away to see more jobs.'}
    >
      <Button variant="default" onClick={onClear}>
        Show all jobs
      </Button>
    </EmptyState>
  );
}
