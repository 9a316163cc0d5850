import { z } from 'zod';
import type { ScheduleType } from '../ports/backup-source.ts';
import { optionalInstant } from './fields.ts';

const DAY_MS = 24 * 3_600_000;

/** BackupServerJobSchedule, as far as it is read. */
export const scheduleSchema = z.object({
  startDateTime: optionalInstant,
  startDateTimeUtc: optionalInstant,
  dailyScheduleOptions: z.object({ kind: z.string().nullish(), days: z.array(z.string()).nullish() }).nullish(),
  periodicallyScheduleOptions: z
    .object({ kind: z.string().nullish(), fullPeriod: z.int().positive().nullish() })
    .nullish(),
});
export type VspcSchedule = z.infer<typeof scheduleSchema>;

const SCHEDULE_TYPES: Readonly<Record<string, ScheduleType>> = {
  Daily: 'Daily',
  Monthly: 'Monthly',
  Continuously: 'Continuously',
  Periodically: 'Periodically',
  Chained: 'Chained',
  NotScheduled: 'Disabled',
};

/**
 * The vendor's word for a schedule as one of ours. A job whose schedule is switched off, and one that has none, are
 * `Disabled`. `BackupWindow` and `Unknown` say no cadence: `null`.
 */
export function toScheduleType(type: string | null | undefined, isEnabled: boolean): ScheduleType | null {
  if (!isEnabled) return 'Disabled';
  return SCHEDULE_TYPES[type ?? ''] ?? null;
}

const PERIOD_UNIT_MS: Readonly<Record<string, number>> = {
  Days: DAY_MS,
  Hours: 3_600_000,
  Minutes: 60_000,
  Seconds: 1_000,
};

/**
 * Time between two planned runs, where it is the same between all of them: every day, one day a week, every so many hours.
 * Working days, chosen days, months and chains have none.
 */
export function toIntervalMs(type: ScheduleType | null, schedule: VspcSchedule | null | undefined): number | null {
  if (type === 'Daily') return dailyIntervalMs(schedule?.dailyScheduleOptions);
  if (type !== 'Periodically') return null;
  const options = schedule?.periodicallyScheduleOptions;
  const unitMs = PERIOD_UNIT_MS[options?.kind ?? ''];
  return unitMs && options?.fullPeriod ? unitMs * options.fullPeriod : null;
}

function dailyIntervalMs(options: VspcSchedule['dailyScheduleOptions']): number | null {
  if (options?.kind === 'Everyday') return DAY_MS;
  if (options?.kind !== 'SelectedDays') return null;
  const dayCount = new Set(options.days).size;
  if (dayCount === 7) return DAY_MS;
  return dayCount === 1 ? 7 * DAY_MS : null;
}
