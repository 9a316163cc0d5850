import { UTC_CLOCK } from '@keepwatch/contract/backup-days/backup-day';
import { LICENSE_DAYS } from '@keepwatch/contract/microsoft365/licensing';
import { useToday } from '../../kit/backup-clock.ts';
import { type DayRange, knownRangeOf, lastDays } from '../../kit/date-range/date-range.ts';

/** For so many days a licence is used after each backup. */
export const LICENSE_RANGE = lastDays(LICENSE_DAYS);

/** The UTC days that a text names today: licences are counted by them. */
export function useLicenseDays(range: string): DayRange {
  const today = useToday(UTC_CLOCK);
  const { from, to } = knownRangeOf(range, new Date(today), UTC_CLOCK);
  return { from, to };
}
