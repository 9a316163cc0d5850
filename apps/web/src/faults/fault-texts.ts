import type { Cause, Fault } from '@keepwatch/contract/faults/faults';
import { type CauseReason, type FaultState, FIGURE_ANOMALIES } from '@keepwatch/contract/faults/values';
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

/** `15 days`, `1 day`, `Never fine`: how long no run was fine. Nothing within a day. */
export function withoutFineText(days: number | null): string | null {
  if (days === null) return 'Never fine';
  return days === 0 ? null : formatCounted(days, 'day', 'days');
}

/** The same as a sentence. Only where the last run made no restore point there is none: one with a warning made one. */
export function withoutFineHint(days: number | null, hasRestorePoint: boolean): string {
  const [none, recent, since] = hasRestorePoint
    ? ['Never fine so far', 'Fine less than a day ago', 'Not fine for']
    : [
        'No good restore point so far',
        'The last good restore point is less than a day old',
        'No good restore point for',
      ];
  if (days === null) return none;
  return days === 0 ? recent : `${since} ${formatCounted(days, 'day', 'days')}`;
}

/** Whether the last run of a fault made a restore point: it ended with a warning, or is unusual in its figures alone. */
export function hasRestorePoint({ kind, anomalies }: Pick<Fault, 'kind' | 'anomalies'>): boolean {
  if (kind === 'doubtful') return anomalies.every((anomaly) => FIGURE_ANOMALIES.includes(anomaly));
  return kind === 'warning';
}
