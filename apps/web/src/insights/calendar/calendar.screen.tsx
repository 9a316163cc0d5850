import type { CalendarRow } from '@keepwatch/contract/insights/calendar';
import { CELL_SHARED } from '@keepwatch/contract/runs/values';
import { Switch } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo } from 'react';
import { hasRuns } from '../../entities/calendar/cell.ts';
import { daysOfMonth, type MonthDay } from '../../entities/calendar/month.ts';
import { CompanyFilter } from '../../entities/company-filter.tsx';
import { dailyChecks } from '../../entities/places.ts';
import { SOURCE_GROUP_CHOICES } from '../../entities/source-groups.ts';
import { useBackupClock, useToday } from '../../kit/backup-clock.ts';
import { ChoiceFilter } from '../../kit/filters/choice-filter.tsx';
import { FilterBar } from '../../kit/filters/filter-bar.tsx';
import { SearchInput } from '../../kit/filters/search-input.tsx';
import { useGo } from '../../kit/screen-link.tsx';
import { BrokenLink } from '../../kit/states/broken-link.tsx';
import { ErrorState } from '../../kit/states/error-state.tsx';
import { Recounting } from '../recounting.tsx';
import { useCalendar, useCalendarStats, usePrefetchMonth } from './calendar.data.ts';
import { useCalendarFilters } from './calendar-filters.ts';
import { CalendarGrid } from './calendar-grid.tsx';
import { CalendarLegend } from './calendar-legend.tsx';
import { MonthSwitch } from './month-switch.tsx';
import { NoJobs } from './no-jobs.tsx';

const CLEAR = { company: [], source: [], search: '', trouble: false };

/** Jobs by days, a month at a time: which ones have trouble, and for how long. */
export default function CalendarScreen() {
  const { filters, setFilters, query, current, isBroken } = useCalendarFilters();
  const pages = useCalendar(query);
  const stats = useCalendarStats(query);
  const prefetch = usePrefetchMonth(query);
  const today = useToday(useBackupClock());
  const days = useMemo(() => daysOfMonth(query.month, today), [query.month, today]);
  // Below it two columns of names would leave the days less than half of a window with a pinned sidebar.
  const isNarrow = useMediaQuery('(max-width: 900px)', false);
  const onOpen = useOpenRuns();
  return (
    <>
      <FilterBar>
        <MonthSwitch
          month={query.month}
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
          label="Problems only"
          checked={filters.trouble}
          onChange={(event) => setFilters({ trouble: event.currentTarget.checked })}
        />
      </FilterBar>
      {isBroken ? (
        <BrokenLink onReset={() => setFilters(CLEAR)} />
      ) : pages.error !== null && pages.count === null ? (
        <ErrorState what="the calendar" error={pages.error} onRetry={pages.retry} />
      ) : pages.count === 0 ? (
        <NoJobs query={query} stats={stats} onClear={() => setFilters(CLEAR)} />
      ) : (
        <>
          <CalendarGrid
            query={query}
            days={days}
            pages={pages}
            totals={stats.isPlaceholderData ? undefined : stats.data?.data}
            isNarrow={isNarrow}
            onSort={(sort) => setFilters({ sort })}
            onOpen={onOpen}
          />
          <CalendarLegend />
          <Recounting firstDay={days[0]?.day} />
        </>
      )}
    </>
  );
}

/** Leads to the runs of a job on a day. */
function useOpenRuns() {
  const go = useGo();
  return ({ jobInstanceUid, sharedJob }: CalendarRow, { day }: MonthDay, letter: string | undefined) => {
    if (!hasRuns(letter)) return;
    // A cell counts whatever a person has made of its runs.
    const job = letter === CELL_SHARED && sharedJob !== null ? sharedJob : jobInstanceUid;
    go(dailyChecks.at({ day, job: [job], state: 'all', ignored: true }));
  };
}
