import type { Job } from '../world/job.ts';
import { nextSlot, type Schedule } from '../world/schedule.ts';
import { instantOrNull, timeOfDay } from './instants.ts';

const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const weekNames = { 1: 'First', 2: 'Second', 3: 'Third', 4: 'Fourth' } as const;
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

const scheduleTypes: Record<Schedule['kind'], string> = {
  daily: 'Daily',
  periodically: 'Periodically',
  continuously: 'Continuously',
  monthly: 'Monthly',
  chained: 'Chained',
  'not-scheduled': 'NotScheduled',
};

export function scheduleType(job: Job): string {
  return scheduleTypes[job.schedule.kind];
}

/** The schedule of a backup server's job; only the part that applies is there. */
export function toSchedule(job: Job, nowMs: number) {
  const next = job.schedule.kind === 'chained' ? undefined : nextSlot(job.schedule, nowMs);
  return {
    startDateTime: instantOrNull(next, job.offsetMinutes),
    startDateTimeUtc: instantOrNull(next),
    continuousScheduleEnabled: job.schedule.kind === 'continuously',
    ...scheduleOptions(job),
  };
}

function scheduleOptions(job: Job) {
  const { schedule } = job;
  switch (schedule.kind) {
    case 'daily':
      return { dailyScheduleOptions: dailyOptions(schedule.minuteOfDay, schedule.weekdays, job.offsetMinutes) };
    case 'monthly':
      return {
        monthlyScheduleOptions: {
          time: timeOfDay(schedule.minuteOfDay + job.offsetMinutes),
          timeUtc: timeOfDay(schedule.minuteOfDay),
          dayNumberInMonth: weekNames[schedule.week],
          dayOfWeek: weekdayName(schedule.weekday),
          months,
        },
      };
    case 'periodically':
      return { periodicallyScheduleOptions: periodicOptions(schedule.periodMinutes) };
    case 'chained':
      return {
        chainingOptions: { previousJobId: job.after?.instanceUid ?? null, previousJobName: job.after?.name ?? null },
      };
    default:
      return {};
  }
}

function periodicOptions(periodMinutes: number) {
  const isHours = periodMinutes % 60 === 0;
  return {
    kind: isHours ? 'Hours' : 'Minutes',
    fullPeriod: isHours ? periodMinutes / 60 : periodMinutes,
    schedule: null,
  };
}

function dailyOptions(minuteOfDay: number, weekdays: readonly number[], offsetMinutes: number) {
  const local = minuteOfDay + offsetMinutes;
  const shift = Math.floor(local / 1440);
  const days = weekdays.map((weekday) => weekdayName((weekday + shift + 7) % 7));
  const isWeekDays = days.length === 5 && !days.includes('Saturday') && !days.includes('Sunday');
  return {
    kind: days.length === 7 ? 'Everyday' : isWeekDays ? 'WeekDays' : 'SelectedDays',
    days,
    time: timeOfDay(local),
    timeUtc: timeOfDay(minuteOfDay),
  };
}

/** The schedule as one line of text, for agents. */
export function scheduleDisplayName(job: Job): string {
  const { schedule } = job;
  if (schedule.kind === 'daily') return `Daily at ${timeOfDay(schedule.minuteOfDay + job.offsetMinutes).slice(0, 5)}`;
  return schedule.kind === 'periodically' ? `Every ${schedule.periodMinutes / 60} hours` : 'Not scheduled';
}

function weekdayName(weekday: number): (typeof weekdayNames)[number] {
  return weekdayNames[weekday] ?? 'Sunday';
}
