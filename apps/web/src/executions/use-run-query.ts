import { startOfDay } from '@keepwatch/contract/backup-days/backup-day';
import { useCallback } from 'react';
import { useBackupClock, useToday } from '../kit/backup-clock.ts';
import { type Filters, type RunQuery, runQueryOf } from './filters.ts';

/** What filters ask of the server today: another function when the day ends. */
export function useRunQueryOf(): (filters: Filters) => RunQuery {
  const { timeZone, beginHour } = useBackupClock();
  const today = useToday({ timeZone, beginHour });
  return useCallback(
    (filters) => {
      const clock = { timeZone, beginHour };
      return runQueryOf(filters, new Date(startOfDay(clock, today)), clock);
    },
    [timeZone, beginHour, today],
  );
}
