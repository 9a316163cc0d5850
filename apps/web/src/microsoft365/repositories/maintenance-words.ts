import type { MaintenanceKind, MaintenancePlan, MaintenanceRun } from '@keepwatch/contract/microsoft365/maintenance';
import { formatDateTime } from '../../kit/format/dates.ts';
import { DAY_WORDS } from '../jobs/job-words.ts';

export const PLAN_TITLES: Readonly<Record<MaintenanceKind, string>> = { verify: 'Verify', prune: 'Prune' };

/** `Sundays at 05:00 (UTC), next 11/29/26 05:00 AM`; `Off`. */
export function planText({ isEnabled, dailyType, dailyTime, timeZone, nextRun }: MaintenancePlan): string {
  if (!isEnabled) return 'Off';
  return `${DAY_WORDS[dailyType]} at ${dailyTime} (${timeZone})${nextRun === null ? '' : `, next ${formatDateTime(nextRun)}`}`;
}

/** `Prune (dry run) by ada`. */
export function runTitle({ kind, isDryRun, username }: MaintenanceRun): string {
  return `${PLAN_TITLES[kind]}${isDryRun ? ' (dry run)' : ''}${username === null ? '' : ` by ${username}`}`;
}
