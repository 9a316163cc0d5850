import type { ProviderClock } from '@keepwatch/contract/backup-days/backup-clock';
import { type BackupClock, dayOf, UTC_CLOCK } from '@keepwatch/contract/backup-days/backup-day';
import { isTimeZone } from '@keepwatch/contract/backup-days/time-zones';
import type { User } from '@keepwatch/contract/identity/sessions';
import { useUser } from './portal.tsx';
import { useNow } from './use-now.ts';

/** By what the user's provider counts days. A zone that this browser does not know counts as UTC. */
export function backupClockOf({ backupClock }: Pick<User, 'backupClock'>): ProviderClock {
  return isTimeZone(backupClock.timeZone) ? backupClock : { ...backupClock, timeZone: UTC_CLOCK.timeZone };
}

export const useBackupClock = (): ProviderClock => backupClockOf(useUser());

/** Today by a clock (`2026-03-15`), and a new render when it ends. */
export function useToday(clock: BackupClock): string {
  return useNow((now) => dayOf(clock, now.getTime()));
}

/** The days of this browser's zone, for what is not counted by the provider. */
export function browserClock(): BackupClock {
  return { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, beginHour: 0 };
}
