import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, text, webAddress } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';

/** A banner above the page content of one application. */
export const notification = entity(
  'Notification',
  z.object({
    _id: id,
    app: z.enum(['monitoring', 'o365', 'admin']),
    userId: z.nullable(id),
    event: z.string(),
    message: z.string(),
    severity: z.enum(['info', 'success', 'warning', 'error']),
    hideAck: z.boolean(),
    hideClose: z.boolean(),
    /** Users click on it: another scheme, `javascript:` say, would be a program that runs in the portal. */
    link: z.nullable(webAddress),
    copy: z.nullable(z.string()),
  }),
);
export type Notification = z.infer<typeof notification>;

export const listNotifications = declareCall({
  method: 'POST',
  path: '/notifications',
  access: 'signed-in',
  after: 'second-factor',
  audit: null, // It reads; the specification makes it a POST
  body: z.strictObject({ userId: id }),
  ...itemOf(z.array(notification)),
  failure: 'The notifications could not be read, try again later.',
  summary: 'The banners that concern a user and that the user has not acknowledged.',
});

export const acknowledgeNotification = declareCall({
  method: 'POST',
  path: '/notifications/ack',
  access: 'signed-in',
  after: 'second-factor',
  audit: 'notification.acknowledge',
  body: z.strictObject({ notificationId: id, userId: id, event: text(100), username: text(200) }),
  ...done,
  failure: 'The notification could not be acknowledged, try again later.',
  summary: 'Does not show this banner to this user again.',
});
