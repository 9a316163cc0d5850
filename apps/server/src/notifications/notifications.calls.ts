import { acknowledgeNotification, listNotifications } from '@keepwatch/contract/notifications/notifications';
import { change } from '../audit/change.ts';
import { notFound } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { invitationNotice } from './invitation-notice.ts';
import { acknowledge, listOpenNotifications } from './notifications.ts';

/** `publicUrl`: the address of the portal, for the links that users hand on. */
export function notificationCalls({ publicUrl }: { publicUrl: string }): Route[] {
  return [
    answer(listNotifications, async ({ database, actor }, { body }) => {
      if (body.userId !== actor.userId) throw notFound('user');
      const [notice, open] = await Promise.all([
        invitationNotice(database, actor, publicUrl),
        listOpenNotifications(database, actor),
      ]);
      return { data: [...notice, ...open] };
    }),

    answer(acknowledgeNotification, async (context, { body }) => {
      const { actor } = context;
      const { notificationId: id, userId } = body;
      await change(context, { kind: 'notification', id }, async (connection) => {
        const isTheirs = userId === actor.userId && (await acknowledge(connection, actor, id));
        return isTheirs ? { result: null } : null;
      });
      return {};
    }),
  ];
}
