import type { ObjectAge, UnprotectedGroup } from '@keepwatch/contract/microsoft365/protection';

/** Why people are not backed up: `left out of Nightly`. */
export function reasonText({ reason, jobName }: Pick<UnprotectedGroup, 'reason' | 'jobName'>): string {
  const job = jobName ?? 'the job';
  switch (reason) {
    case 'no-job':
      return 'in no job';
    case 'excluded':
      return `left out of ${job}`;
    case 'disabled':
      return `${job} is disabled`;
    case 'not-yet':
      return `waiting for the first run of ${job}`;
    case 'missing':
      return `not in the restore points of ${job}`;
  }
}

export const AGE_WORDS: Readonly<Record<ObjectAge, { short: string; long: string }>> = {
  day: { short: '1 day', long: 'complete within the last day' },
  'three-days': { short: '3 days', long: 'complete 1 to 3 days ago' },
  week: { short: '7 days', long: 'complete 3 to 7 days ago' },
  month: { short: '31 days', long: 'complete 7 to 31 days ago' },
  older: { short: 'older', long: 'complete more than 31 days ago' },
  never: { short: 'never', long: 'never complete' },
};

/** What is older than a week needs a look. */
export const AGE_TONES: Readonly<Record<ObjectAge, 'success' | 'warning' | 'failed'>> = {
  day: 'success',
  'three-days': 'success',
  week: 'warning',
  month: 'failed',
  older: 'failed',
  never: 'failed',
};
