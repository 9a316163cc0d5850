import { useBackupClock } from '../kit/backup-clock.ts';
import { formatDay } from '../kit/format/dates.ts';
import { zoneWord } from '../kit/format/zones.ts';

/** Says which of the days shown are still counted as before the last change of the provider's clock; nothing where none is. */
export function Recounting({ firstDay }: { firstDay: string | undefined }) {
  const { recountedFrom, timeZone } = useBackupClock();
  if (recountedFrom === null || firstDay === undefined || firstDay >= recountedFrom) return null;
  return (
    <span role="status">
      Days before {formatDay(recountedFrom)} are being recounted in the new time zone, {zoneWord(timeZone)}.
    </span>
  );
}
