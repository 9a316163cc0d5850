import { expect, test } from 'vitest';
import type { Job } from '../world/job.ts';
import { everyDay, localDaily, type Schedule, workDays } from '../world/schedule.ts';
import { allJobs, buildWorld } from '../world/world.ts';
import { scheduleDisplayName, scheduleType, toSchedule } from './schedules.ts';

const now = Date.parse('2026-11-21T09:00:00Z');
const jobs = allJobs(buildWorld(1, 20));

/** Some job of the world with another schedule. */
function buildJob(schedule: Schedule, offsetMinutes = 60): Job {
  const [job] = jobs;
  if (!job) throw new Error('The world has no job');
  return { ...job, schedule, offsetMinutes, after: undefined };
}

test('a nightly job reports its local time, its time in UTC, and when it is due', () => {
  const job = buildJob(localDaily(22 * 60 + 30, everyDay, 60));
  expect(scheduleType(job)).toBe('Daily');
  expect(toSchedule(job, now)).toMatchObject({
    startDateTime: '2026-11-21T22:30:00+01:00',
    startDateTimeUtc: '2026-11-21T21:30:00+00:00',
    continuousScheduleEnabled: false,
    dailyScheduleOptions: { kind: 'Everyday', time: '22:30:00', timeUtc: '21:30:00' },
  });
  expect(scheduleDisplayName(job)).toBe('Daily at 22:30');
});

test('days are those of the customer, also where the run falls on another day in UTC', () => {
  const ohio = buildJob(localDaily(22 * 60, workDays, -300), -300);
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
  expect(toSchedule(ohio, now)).toMatchObject({
    dailyScheduleOptions: { kind: 'WeekDays', days, time: '22:00:00', timeUtc: '03:00:00' },
  });
});

test('one day a week is a selection of days', () => {
  const weekly = buildJob(localDaily(600, [0], 60));
  expect(toSchedule(weekly, now)).toMatchObject({ dailyScheduleOptions: { kind: 'SelectedDays', days: ['Sunday'] } });
});

test.each([
  [15, 'Minutes', 15],
  [240, 'Hours', 4],
])('every %i minutes is reported in %s', (periodMinutes, kind, fullPeriod) => {
  const job = buildJob({ kind: 'periodically', periodMinutes, phaseMinutes: 0 });
  expect(scheduleType(job)).toBe('Periodically');
  expect(toSchedule(job, now)).toMatchObject({ periodicallyScheduleOptions: { kind, fullPeriod } });
});

test('a monthly job reports its week and day', () => {
  const job = buildJob({ kind: 'monthly', minuteOfDay: 540, week: 2, weekday: 6 });
  expect(toSchedule(job, now)).toMatchObject({
    monthlyScheduleOptions: {
      dayNumberInMonth: 'Second',
      dayOfWeek: 'Saturday',
      time: '10:00:00',
      timeUtc: '09:00:00',
    },
  });
});

test('a continuous job says so', () => {
  const job = buildJob({ kind: 'continuously', periodMinutes: 240, phaseMinutes: 0 });
  expect(scheduleType(job)).toBe('Continuously');
  expect(toSchedule(job, now)).toMatchObject({ continuousScheduleEnabled: true });
});

test('a chained job names the one before it, and no time', () => {
  const chained = jobs.find((job) => job.after);
  if (!chained) throw new Error('The world has no chained job');
  expect(scheduleType(chained)).toBe('Chained');
  expect(toSchedule(chained, now)).toMatchObject({
    startDateTime: null,
    chainingOptions: { previousJobId: chained.after?.instanceUid, previousJobName: chained.after?.name },
  });
});
