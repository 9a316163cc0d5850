import { editBackupClock, getBackupClock } from '@keepwatch/contract/backup-days/backup-clock';
import { type BackupClock, isSameClock } from '@keepwatch/contract/backup-days/backup-day';
import { isTimeZone } from '@keepwatch/contract/backup-days/time-zones';
import { change } from '../audit/change.ts';
import type { Connection } from '../foundation/database.ts';
import { invalid } from '../foundation/errors.ts';
import type { Services } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { wholeProvider } from '../foundation/whole-provider.ts';
import { findBackupClock } from './stored-clocks.ts';

/** What a capability above does when the clock changes: it counts runs again. */
export interface BackupClockParts {
  changeBackupClock(
    connection: Connection,
    services: Pick<Services, 'queue' | 'now'>,
    providerId: number,
    clock: BackupClock,
  ): Promise<void>;
}

export const backupClockCalls = ({ changeBackupClock }: BackupClockParts): Route[] => [
  answer(getBackupClock, async ({ database, scope }) => ({ data: await findBackupClock(database, scope.providerId) })),

  answer(editBackupClock, async (context, { body }) => {
    const providerId = wholeProvider(context);
    if (!isTimeZone(body.timeZone))
      throw invalid([{ path: 'body.timeZone', message: 'must be a time zone like Europe/Berlin' }]);
    const data = await change(context, null, async (connection) => {
      const before = await findBackupClock(connection, providerId);
      const { timeZone, beginHour, isChosen, unknownTimeZone } = before;
      if (isChosen && unknownTimeZone === null && isSameClock(before, body))
        return { result: before, isUnchanged: true };
      await changeBackupClock(connection, context, providerId, body);
      const result = await findBackupClock(connection, providerId);
      return {
        result,
        before: { timeZone, beginHour },
        after: body,
        live: ['backup-clock.changed', 'executions.changed'],
      };
    });
    return { data };
  }),
];
