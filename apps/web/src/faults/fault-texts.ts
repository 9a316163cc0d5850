import type { Cause, Fault } from '@keepwatch/contract/faults/faults';
import type { CauseReason, FaultState } from '@keepwatch/contract/faults/values';
import { nameOfJob } from '../entities/job-name.ts';
import { formatCounted } from '../kit/format/numbers.ts';
import type { QueueRow } from './queue-row.ts';

/** What the faults of a cause have in common: why they are one line. */
export const CAUSE_WHY: Readonly<Record<CauseReason, string>> = {
  server: 'same server',
  repository: 'same repository',
  certificate: 'same certificate',
  licence: 'same licence',
  credentials: 'same account',
  message: 'same message',
  missed: 'same server',
  anomaly: 'same job',
  job: 'same job',
};

const CAUSE_TITLES: Readonly<Record<CauseReason, (subject: string) => string>> = {
  server: (subject) => `${subject} does not answer`,
  repository: (subject) => `No space in ${subject}`,
  certificate: (subject) => `Certificate expired: ${subject}`,
  licence: (subject) => `Licence expired: ${subject}`,
  credentials: (subject) => `Credentials refused: ${subject}`,
  message: (subject) => subject,
  missed: (subject) => `Jobs on ${subject} didn't run`,
  anomaly: (subject) => subject,
  job: (subject) => subject,
};

/** What is at fault, in words: `kst-vbr-03 does not answer`; else what the source says. */
export function causeTitle({ cause, message, jobName }: Fault): string {
  return titleOf(cause) ?? message ?? jobName;
}

/** What several faults have in common: what is at fault, or the words that all their messages have. */
export function groupTitle(group: Cause): string {
  return titleOf(group) ?? causeTitle(group.fault);
}

function titleOf({ why, subject }: Pick<Cause, 'why' | 'subject'>): string | null {
  return subject === null ? null : CAUSE_TITLES[why](subject);
}

/** `14 jobs, 6 companies`. Faults of no company count none. */
export function sharedText(jobs: number, companies: number): string {
  const ofJobs = formatCounted(jobs, 'job', 'jobs');
  return companies === 0 ? ofJobs : `${ofJobs}, ${formatCounted(companies, 'company', 'companies')}`;
}

/** What a line is called where it is spoken of. */
export function nameOfRow({ fault, group }: QueueRow): string {
  if (group === null) return nameOfJob(fault);
  const title = groupTitle(group);
  const short = title.length > 80 ? `${title.slice(0, 79)}…` : title;
  return `${short}: ${sharedText(group.jobs, group.companies)}`;
}

export const STATE_WORDS: Readonly<Record<FaultState, string>> = {
  pending: 'Pending',
  'in-progress': 'In progress',
  healed: 'Healed',
  resolved: 'Resolved',
  ignored: 'Ignored',
};

/** `15 days`, `1 day`, `Never`: how long there has been no good restore point. Nothing within a day. */
export function withoutFineText(days: number | null): string | null {
  if (days === null) return 'Never';
  return days === 0 ? null : formatCounted(days, 'day', 'days');
}

/** The same as a sentence. */
export function withoutFineHint(days: number | null): string {
  if (days === null) return 'No good restore point so far';
  return days === 0
    ? 'The last good restore point is less than a day old'
    : `No good restore point for ${formatCounted(days, 'day', 'days')}`;
}
