import { formatDateTime } from './dates.ts';

/** Within this time the day alone says which one is meant. */
const YEAR_NEEDED_MS = 300 * 86_400_000;

/** `MM/DD hh:mm A` of lately; of long ago the day with its year, `MM/DD/YY`. */
export function formatDayTime(instant: string, now: Date, timeZone?: string): string {
  const [day = '', time = '', half = ''] = formatDateTime(instant, timeZone).split(' ');
  const isLongAgo = Math.abs(now.getTime() - Date.parse(instant)) > YEAR_NEEDED_MS;
  return isLongAgo ? day : `${day.slice(0, 5)} ${time} ${half}`;
}
