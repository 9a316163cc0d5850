import { DEFAULT_BRAND } from '../../branding/brands.ts';
import type { Connection } from '../../foundation/database.ts';
import { declareSubject, type Subject } from '../../foundation/outbox/domain-events.ts';
import type { Queue } from '../../foundation/queue.ts';
import { clear, declareAlarm, raise } from '../../notifications/alarms.ts';
import { STAFF } from '../../notifications/channel.ts';
import { markEnded } from './backup-plan.ts';

/** The database is of all providers, and looked after by the one that runs the installation. */
const PORTAL: Subject = { providerId: DEFAULT_BRAND, id: 'portal' };

const backupFailing = declareAlarm({
  name: 'administration.backup-failing',
  subject: declareSubject('portal-backup'),
  app: 'admin',
  severity: 'error',
  recipients: STAFF,
  // Why is left to the screen: reasons name folders of the machine, which not all of the staff may see.
  text: ({ at }: { at: Date }) =>
    `The backup of the portal's own database failed on ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC. Open Backups in the Admin application to see why.`,
});

export const backupAlarms = [backupFailing];

/** Stores that a backup has ended, and why if it failed, with the transaction of `connection`. The staff sees the alarm until one succeeds. */
export async function endBackup(
  queue: Queue,
  connection: Connection,
  failure: string | null,
  now: Date,
): Promise<void> {
  await markEnded(connection, failure, now);
  if (failure === null) await clear(queue, connection, backupFailing, PORTAL);
  else await raise(queue, connection, backupFailing, PORTAL, { at: now });
}
