import type { Microsoft365Job, SCHEDULE_TYPES } from '@keepwatch/contract/microsoft365/jobs';
import { formatCount, formatCounted } from '../../kit/format/numbers.ts';

type Policy = Omit<Microsoft365Job['schedulePolicy'], 'timeZone'>;
type ScheduleType = (typeof SCHEDULE_TYPES)[number];

export const SCHEDULE_WORDS: Readonly<Record<ScheduleType, string>> = {
  Daily: 'Daily',
  Monthly: 'Monthly',
  Continuously: 'Continuously',
  Periodically: 'Periodically',
  Chained: 'After another job',
  Disabled: 'By hand only',
};

export const DAY_WORDS: Readonly<Record<Policy['dailyType'], string>> = {
  Everyday: 'Daily',
  Workdays: 'Workdays',
  Weekends: 'Weekends',
  Monday: 'Mondays',
  Tuesday: 'Tuesdays',
  Wednesday: 'Wednesdays',
  Thursday: 'Thursdays',
  Friday: 'Fridays',
  Saturday: 'Saturdays',
  Sunday: 'Sundays',
};

/** `Workdays at 22:00`, `Every 2 hours`. */
export function scheduleText(policy: Policy): string {
  if (!policy.runAuto) return SCHEDULE_WORDS.Disabled;
  switch (policy.type) {
    case 'Daily':
      return `${DAY_WORDS[policy.dailyType]} at ${policy.dailyTime}`;
    case 'Monthly':
      return `Monthly on day ${policy.dayOfMonth} at ${policy.dailyTime}`;
    case 'Periodically':
      return `Every ${intervalText(policy.periodicallyEvery)}`;
    default:
      return SCHEDULE_WORDS[policy.type];
  }
}

function intervalText(minutes: number): string {
  return minutes % 60 === 0
    ? formatCounted(minutes / 60, 'hour', 'hours')
    : formatCounted(minutes, 'minute', 'minutes');
}

type Scope = Pick<Microsoft365Job, 'backupType' | 'selectedCount' | 'excludedCount'>;

/** `the whole organization but 3`, `12 selected`. */
export function scopeText({ backupType, selectedCount, excludedCount }: Scope): string {
  const what =
    backupType === 'EntireOrganization' ? 'the whole organization' : `${formatCount(selectedCount)} selected`;
  return excludedCount === 0 ? what : `${what} but ${formatCount(excludedCount)}`;
}

const LAST_WORDS = {
  Success: ', last one complete',
  Warning: ', last one incomplete',
  Failed: ', last run failed',
  Running: '',
} as const;

/** A job as a sentence: `Daily at 22:00, the whole organization but 3, 41 restore points, last one complete`. */
export function jobSentence(job: Microsoft365Job): string {
  const { restorePoints, lastSession } = job;
  const points =
    restorePoints === 0 ? 'no restore point yet' : formatCounted(restorePoints, 'restore point', 'restore points');
  const last = lastSession === null ? '' : LAST_WORDS[lastSession.status];
  return `${scheduleText(job.schedulePolicy)}, ${scopeText(job)}, ${points}${last}`;
}
