import type { BackupClock } from '@keepwatch/contract/backup-days/backup-day';
import { readDayClocks, storeDayClocks } from '../backup-days/stored-clocks.ts';
import type { Connection } from '../foundation/database.ts';
import type { Services } from '../foundation/http/context.ts';
import { lockExecutions } from '../schedules/job-state.ts';
import { recountDaysJob } from './ingest.jobs.ts';
import { recountLastDays } from './recount-days.ts';

/**
 * Has a provider count days by another clock: the last days at once, older ones in the background. A change while those of the one before
 * are still counted adds another clock on top.
 */
export async function changeBackupClock(
  connection: Connection,
  { queue, now }: Pick<Services, 'queue' | 'now'>,
  providerId: number,
  clock: BackupClock,
): Promise<void> {
  await lockExecutions(connection, providerId);
  const clocks = await readDayClocks(connection, providerId);
  // Choosing what counts already only says that it is chosen.
  if (clocks.isBy(clock)) return storeDayClocks(connection, providerId, clocks);
  await recountLastDays(connection, providerId, clock, now());
  await queue.send(connection, recountDaysJob, {});
}
