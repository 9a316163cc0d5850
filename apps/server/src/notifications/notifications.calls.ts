import { acknowledgeNotification, listNotifications } from '@keepwatch/contract/notifications/notifications';
import { change } from '../audit/change.ts';
import { notFound } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { acknowledge, listOpenNotifications } from './notifications.ts';

export const notificationCalls: Route[] = [
  answer(listNotifications, async ({ database, actor }, { body }) => {
    if (body.userId !== actor.userId) throw notFound('user');
    return { data: await listOpenNotifications(database, actor) };
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
