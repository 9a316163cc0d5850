import { LICENSE_DAYS } from '@keepwatch/contract/microsoft365/licensing';
import { lastDays } from '../../kit/date-range/date-range.ts';
import { utcDaysOf } from '../../kit/date-range/utc-days.ts';
import { useNow } from '../../kit/use-now.ts';
import { type UtcDays, utcDayOf } from '../../kit/utc-day.ts';

/** For so many days a licence is used after each backup. */
export const LICENSE_RANGE = lastDays(LICENSE_DAYS);

/** The UTC days that a text names today: licences are counted by them. */
export function useLicenseDays(range: string): UtcDays {
  const today = useNow(utcDayOf);
  return utcDaysOf(range, new Date(today));
}
