import { ConnectorError } from '@keepwatch/connectors/base/connector-error';
import * as z from 'zod/mini';
import { portalAddress } from '../../branding/portal-address.ts';
import { type MailServices, sendMail } from '../../connections/send-mail.ts';
import type { Pool } from '../../foundation/database.ts';
import { declareJob } from '../../foundation/jobs.ts';
import { SessionLog } from '../sessions/session-log.ts';
import { readEndedRun } from './ended-run.ts';
import { jobMailOf } from './job-mail.ts';

/** Sends one mail about a run, to one address. */
export const sendJobMailJob = declareJob({
  name: 'microsoft365.send-job-mail',
  payload: z.object({ providerId: z.number(), sessionId: z.string(), to: z.string() }),
  retry: { times: 8, firstPauseSeconds: 60, longestPauseSeconds: 3_600 },
  concurrency: 2,
  timeLimitSeconds: 120,
  key: ({ sessionId, to }) => `${sessionId} ${to.toLowerCase()}`,
});

interface JobMail {
  providerId: number;
  sessionId: string;
  to: string;
}

const NO_SERVER = 'no mail server is connected. An administrator connects one on the page Connectors.';

/**
 * Mails one person how a run ended. What cannot be sent is in the log of the run, where people look for what happened to it.
 * @throws what a later attempt may not meet again
 */
export async function sendJobMail(services: MailServices, mail: JobMail, signal: AbortSignal): Promise<void> {
  const { database, publicUrl } = services;
  const { providerId, sessionId, to } = mail;
  const run = await readEndedRun(database, providerId, sessionId);
  if (run === null) return;
  const content = { id: `run-${sessionId}`, to, ...jobMailOf(run, portalAddress(publicUrl, run)) };
  try {
    if (!(await sendMail(services, providerId, content, signal)))
      await note(database, mail, `${to} was not mailed: ${NO_SERVER}`);
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    await note(database, mail, `${to} was not mailed. ${error.message}`);
    if (error.isRetryable) throw error;
  }
}

async function note(database: Pool, { providerId, sessionId }: JobMail, text: string): Promise<void> {
  const log = new SessionLog(database, { providerId, id: sessionId });
  log.add('warning', null, text);
  await log.flush();
}
