import { acknowledgeNotification, listNotifications } from '@keepwatch/contract/notifications/notifications';
import { record } from '../audit/audit.ts';
import { transaction } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { acknowledge, listOpenNotifications } from './notifications.ts';

export const notificationCalls: Route[] = [
  answer(listNotifications, async ({ database, scope, actor }, { body }) => {
    if (body.userId !== actor.userId) throw notFound('user');
    return { data: await listOpenNotifications(database, scope, actor.userId) };
  }),

  answer(acknowledgeNotification, async (context, { body }) => {
    const { database, scope, actor } = context;
    const { notificationId: id } = body;
    await transaction(database, async (connection) => {
      const isTheirs = body.userId === actor.userId && (await acknowledge(connection, scope, actor.userId, id));
      if (!isTheirs) throw notFound('notification');
      await record(connection, context, { action: 'notification.acknowledge', target: { kind: 'notification', id } });
    });
    return {};
  }),
];
