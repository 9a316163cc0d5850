import * as z from 'zod/mini';
import { declareEvent, declareSubject } from '../../foundation/outbox/domain-events.ts';

/** A run of a Microsoft 365 job. */
export const sessionSubject = declareSubject('m365-job-session');

/** A run has come to its end: for what reports runs, and mails people. */
export const sessionEnded = declareEvent({
  name: 'm365-job-session.ended',
  subject: sessionSubject.kind,
  payload: z.object({
    jobId: z.string(),
    jobName: z.string(),
    organizationId: z.string(),
    companyId: z.string(),
    result: z.enum(['Success', 'Warning', 'Failed']),
    startedAt: z.string(),
    endedAt: z.string(),
    message: z.nullable(z.string()),
  }),
});
