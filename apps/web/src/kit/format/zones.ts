import type { BackupClock } from '@keepwatch/contract/backup-days/backup-day';

/** A time zone in little room: `Berlin` for `Europe/Berlin`. */
export function zoneWord(timeZone: string): string {
  return timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** Whose days they are: `in Berlin`, `from 18:00, in Berlin`, `in UTC`. */
export function daysWord({ timeZone, beginHour }: BackupClock): string {
  return `${beginHour === 0 ? '' : `from ${hourText(beginHour)}, `}in ${zoneWord(timeZone)}`;
}

/** An hour of the day: `18:00`. */
export function hourText(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
