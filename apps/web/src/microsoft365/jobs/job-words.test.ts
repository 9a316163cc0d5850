import { expect, test } from 'vitest';
import { buildJob, buildSession } from '../testing/builders.ts';
import { jobSentence, scheduleText } from './job-words.ts';

const { schedulePolicy: policy } = buildJob(30);

test.each([
  [{ type: 'Daily' as const }, 'Daily at 22:00'],
  [{ type: 'Daily' as const, dailyType: 'Workdays' as const, dailyTime: '02:30' }, 'Workdays at 02:30'],
  [{ type: 'Daily' as const, dailyType: 'Sunday' as const }, 'Sundays at 22:00'],
  [{ type: 'Monthly' as const, dayOfMonth: 31 }, 'Monthly on day 31 at 22:00'],
  [{ type: 'Periodically' as const, periodicallyEvery: 120 }, 'Every 2 hours'],
  [{ type: 'Periodically' as const, periodicallyEvery: 15 }, 'Every 15 minutes'],
  [{ type: 'Continuously' as const }, 'Continuously'],
  [{ type: 'Chained' as const }, 'After another job'],
  [{ type: 'Daily' as const, runAuto: false }, 'By hand only'],
])('says the schedule %j as "%s"', (fields, text) => {
  expect(scheduleText({ ...policy, ...fields })).toBe(text);
});

test('says what a job covers, how often it can go back, and how its last run ended', () => {
  expect(jobSentence(buildJob(30))).toBe('Daily at 22:00, the whole organization, no restore point yet');
  const selected = { backupType: 'SelectedItems' as const, selectedCount: 12, excludedCount: 1, restorePoints: 1 };
  expect(jobSentence(buildJob(30, { ...selected, lastSession: buildSession(40, { status: 'Warning' }) }))).toBe(
    'Daily at 22:00, 12 selected but 1, 1 restore point, last one incomplete',
  );
});
