import { providersOfUnknownZones, readDayClocks } from '../backup-days/stored-clocks.ts';
import { type Pool, transaction } from '../foundation/database.ts';
import { lockExecutions } from '../schedules/job-state.ts';
import { recountLastDays } from './recount-days.ts';

/**
 * Stores UTC in place of each zone that this machine does not know any more, before any run is counted: what is added to the sums of a day
 * and what is subtracted has to be of the same clock. It is a change of the clock: the last days are counted again at once, and the job for
 * earlier ones goes on. The settings name the zone until another one is chosen.
 */
export async function replaceUnknownZones(pool: Pool, now: Date): Promise<void> {
  for (const providerId of await providersOfUnknownZones(pool))
    await transaction(pool, async (connection) => {
      await lockExecutions(connection, providerId);
      const { newest } = await readDayClocks(connection, providerId);
      await recountLastDays(connection, providerId, newest, now);
    });
}
