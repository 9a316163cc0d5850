import type { JobExecution } from '@keepwatch/contract/executions/job-executions';
import { formatDateTime } from '../../kit/format/dates.ts';

/** Who gave the run its state; none where it follows the result, or is pending again. */
export function changedBy({ state, changedBy: name }: JobExecution): string | null {
  return state === 'pending' ? null : name;
}

/** `by anna, 11/22/26 09:14 AM`; none where the state follows the result. */
export function changedText(run: JobExecution, timeZone: string): string | null {
  const name = changedBy(run);
  if (name === null) return null;
  return run.changedAt === null ? `by ${name}` : `by ${name}, ${formatDateTime(run.changedAt, timeZone)}`;
}
