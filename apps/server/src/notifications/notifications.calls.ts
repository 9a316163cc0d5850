import { acknowledgeNotification, listNotifications } from '@keepwatch/contract/notifications/notifications';
import { record } from '../audit/audit.ts';
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
    const isTheirs = body.userId === actor.userId;
    if (!isTheirs || !(await acknowledge(database, scope, actor.userId, body.notificationId)))
      throw notFound('notification');
    const target = { kind: 'notification', id: body.notificationId };
    await record(database, context, { action: 'notification.acknowledge', target });
    return {};
  }),
];
