import type { BackupClock } from '@keepwatch/contract/backup-days/backup-day';
import type { JobFilter } from '@keepwatch/contract/executions/filters';
import { type CalendarRow, getSpreadsheetReport, getSpreadsheetStats } from '@keepwatch/contract/insights/calendar';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { addMonths, type Month, rangeOfMonth } from '../../entities/calendar/month.ts';
import { useBackupClock } from '../../kit/backup-clock.ts';
import type { Pages } from '../../kit/data-table/pages.ts';
import { usePages } from '../../kit/data-table/use-pages.ts';
import { useLive } from '../../kit/live/use-live.ts';
import { useApi } from '../../kit/portal.tsx';

const KEY = ['calendar'];

/** A row is one short text and a few names: many fit into a reply. */
const PAGE_ROWS = 500;
/** So many rows beyond those on screen are read ahead, so that scrolling seldom meets an empty place. */
const ROWS_AHEAD = 250;

export interface CalendarQuery {
  month: Month;
  filter: JobFilter & { withTrouble: boolean };
  sort: 'companyName' | 'jobName';
}

/** By other days it is another calendar. */
const daysKey = ({ timeZone, beginHour }: BackupClock) => ({ timeZone, beginHour });

/** The jobs of the calendar, read as they are scrolled to. */
export function useCalendar(query: CalendarQuery): Pages<CalendarRow> {
  const api = useApi();
  useLive('executions.changed', KEY);
  const clock = useBackupClock();
  const { month, filter, sort } = query;
  const pages = usePages({
    queryKey: [...KEY, 'rows', query, daysKey(clock)],
    load: (place, signal) =>
      api.request(getSpreadsheetReport, { query: { ...place, ...rangeOfMonth(month, clock), filter, sort } }, signal),
    pageRows: PAGE_ROWS,
  });
  const { count, show } = pages;
  const showAhead = useCallback(
    (first: number, last: number) => show(first - ROWS_AHEAD, Math.min(last + ROWS_AHEAD, (count ?? 1) - 1)),
    [show, count],
  );
  return useMemo(() => ({ ...pages, show: showAhead }), [pages, showAhead]);
}

/** The totals of each day, above the calendar. Those of the month before stay while others are read. */
export function useCalendarStats({ month, filter }: CalendarQuery) {
  const api = useApi();
  const clock = useBackupClock();
  const { withTrouble: _, ...jobs } = filter;
  return useQuery({
    queryKey: [...KEY, 'stats', { month, jobs }, daysKey(clock)],
    queryFn: ({ signal }) =>
      api.request(getSpreadsheetStats, { query: { ...rangeOfMonth(month, clock), filter: jobs } }, signal),
    placeholderData: keepPreviousData,
  });
}

/** Reads the neighbouring months' first page when a person reaches for them, so that the move is instant. */
export function usePrefetchMonth(query: CalendarQuery): (months: number) => void {
  const api = useApi();
  const clock = useBackupClock();
  const queries = useQueryClient();
  return (months) => {
    const { filter, sort } = query;
    const month = addMonths(query.month, months);
    void queries.prefetchQuery({
      queryKey: [...KEY, 'rows', { ...query, month }, daysKey(clock), { page: 0 }],
      queryFn: ({ signal }) =>
        api.request(
          getSpreadsheetReport,
          { query: { limit: PAGE_ROWS, offset: 0, ...rangeOfMonth(month, clock), filter, sort } },
          signal,
        ),
    });
  };
}
