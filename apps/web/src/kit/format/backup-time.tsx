import { useBackupClock } from '../backup-clock.ts';
import { formatDateTime } from './dates.ts';

/** A moment as the clocks of the provider show it, so that all its users read the same. */
export function BackupTime({ at }: { at: string | null }) {
  return formatDateTime(at, useBackupClock().timeZone);
}
