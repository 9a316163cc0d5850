import { type Subscriber, subscribe } from '../../foundation/outbox/domain-events.ts';
import { sessionEnded } from '../sessions/session-events.ts';
import { recipientsOf } from './recipients.ts';
import { sendJobMailJob } from './send-job-mail.ts';

/** What the application does at its own events. */
export const microsoft365Subscribers: readonly Subscriber[] = [
  subscribe(sessionEnded, 'mail how a run ended', async (connection, { providerId, id }, ended, { queue }) => {
    const job = { providerId, id: ended.jobId, companyId: ended.companyId };
    for (const to of await recipientsOf(connection, job, ended.result))
      await queue.send(connection, sendJobMailJob, { providerId, sessionId: id, to });
  }),
];
