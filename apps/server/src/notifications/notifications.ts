import { seesProvider } from '@keepwatch/contract/abilities';
import { type Notification, notification as notificationSchema } from '@keepwatch/contract/notifications/notifications';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../audit/target-name.ts';
import { type Connection, row, rows } from '../foundation/database.ts';
import { publish } from '../foundation/events.ts';
import type { Actor } from '../foundation/http/context.ts';
import { insert, update } from '../foundation/table-writes.ts';
import { notificationAcknowledgements, notifications } from './tables.ts';

const SHOWN_MAX = 20;

/** Who looks at banners. */
type Reader = Pick<Actor, 'userId' | 'roles' | 'scope'>;

/** Banners without a user are of the whole provider: who is limited to some companies, or to restores, has nothing to do with them. */
function concerns({ userId, roles, scope }: Reader): SQL {
  const isStaff = scope.companyIds === null && seesProvider(roles);
  return sql`n.provider_id = ${scope.providerId} and (n.user_id = ${userId} or (n.user_id is null and ${isStaff}))`;
}

/** Names a banner in the users logs. */
export const nameOfNotification: NameOfTarget = (scope, id) =>
  sql`select t.message from notifications t where t.provider_id = ${scope.providerId} and t.id = ${id}`;

/** The banners that concern a user and are neither acknowledged nor ended, newest first. */
export function listOpenNotifications(connection: Connection, reader: Reader): Promise<Notification[]> {
  return rows<Notification>(
    connection,
    sql`select n.id as "_id", n.app, n.user_id as "userId", n.event, n.message, n.severity, n.hide_ack as "hideAck",
          n.hide_close as "hideClose", n.link, n.copy
        from notifications n
        where ${concerns(reader)} and n.ended_at is null
          and not exists (select from notification_acknowledgements a
            where a.provider_id = n.provider_id and a.notification_id = n.id and a.user_id = ${reader.userId})
        order by n.created_at desc limit ${SHOWN_MAX}`,
  );
}

/** Gives whether there was such a notification within the user's reach. Doing it twice changes nothing. */
export async function acknowledge(connection: Connection, reader: Reader, notificationId: string): Promise<boolean> {
  const found = sql`select n.id from notifications n where ${concerns(reader)} and n.id = ${notificationId} for key share`;
  if ((await row(connection, found)) === null) return false;
  await insert(
    connection,
    notificationAcknowledgements,
    { providerId: reader.scope.providerId, notificationId, userId: reader.userId },
    sql`on conflict (provider_id, notification_id, user_id) do nothing`,
  );
  return true;
}

export type NewBanner = Pick<Notification, 'app' | 'event' | 'message' | 'severity'> &
  Partial<Pick<Notification, 'userId' | 'link' | 'copy'>> & { id: string };

/**
 * Shows a banner to a user, or without one to a provider's own staff. If it is shown already, its text is renewed.
 * Throws for a link that is no address of the web: it would run in the browser of the user who clicks on it.
 */
export async function showBanner(connection: Connection, providerId: number, banner: NewBanner): Promise<void> {
  const link = notificationSchema.shape.link.parse(banner.link ?? null);
  const { id, app, event, message, severity, userId, copy } = banner;
  await insert(
    connection,
    notifications,
    { providerId, id, app, event, message, severity, userId, link, copy },
    sql`on conflict (provider_id, id) do update set message = excluded.message`,
  );
  await publish(connection, { name: 'notifications.changed', providerId });
}

/** Ends a banner: its cause is gone. */
export async function endBanner(
  connection: Connection,
  { providerId, id }: { providerId: number; id: string },
): Promise<void> {
  const open = sql`provider_id = ${providerId} and id = ${id} and ended_at is null`;
  const ended = await update(connection, notifications, { endedAt: sql`now()` }, open);
  if (ended > 0) await publish(connection, { name: 'notifications.changed', providerId });
}
