import { ConnectorError, type ConnectorErrorKind } from '@keepwatch/connectors/base/connector-error';
import * as z from 'zod/mini';
import type { ConnectionServices } from '../../connections/connection-services.ts';
import { openSettings, openVendor } from '../../connections/connection-settings.ts';
import {
  connectionsOf,
  type RecordedHealth,
  recordHealth,
  type StoredConnection,
} from '../../connections/connections.ts';
import { type Pool, transaction } from '../../foundation/database.ts';
import { declareJob } from '../../foundation/jobs.ts';
import { SessionLog } from '../sessions/session-log.ts';
import { type RunToMail, readEndedRun } from './ended-run.ts';
import { jobMailOf } from './job-mail.ts';

export interface MailServices extends ConnectionServices {
  database: Pool;
  /** The address of the portal; a brand with a host name of its own has that in its place. */
  publicUrl: string;
}

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

/**
 * Mails one person how a run ended. What cannot be sent is in the log of the run, where people look for what happened to it.
 * @throws what a later attempt may not meet again
 */
export async function sendJobMail(services: MailServices, mail: JobMail, signal: AbortSignal): Promise<void> {
  const { database } = services;
  const { providerId, sessionId, to } = mail;
  const run = await readEndedRun(database, providerId, sessionId);
  if (run === null) return;
  const [stored] = await connectionsOf(database, providerId, 'mail');
  if (stored === undefined) return note(database, mail, `${to} was not mailed: ${NO_SERVER}`);
  try {
    await send(services, stored, run, to, signal);
    await recordWithin(services, stored, { state: 'ok', message: 'A mail was accepted.' });
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (!OF_ONE_MAIL.includes(error.kind))
      await recordWithin(services, stored, { state: 'failing', message: error.message });
    await note(database, mail, `${to} was not mailed. ${error.message}`);
    if (error.isRetryable) throw error;
  }
}

/** A refused recipient, and a server that is busy, say nothing of the connection. */
const OF_ONE_MAIL: readonly ConnectorErrorKind[] = ['not-allowed', 'throttled'];
const NO_SERVER = 'no mail server is connected. An administrator connects one on the page Connectors.';

async function send(
  services: MailServices,
  stored: StoredConnection,
  run: RunToMail,
  to: string,
  signal: AbortSignal,
): Promise<void> {
  const manifest = await services.connectors.load('mail', stored.kind);
  const mail = openVendor(services, manifest, openSettings(services.secrets, stored));
  await mail.send(
    { id: `run-${run.sessionId}`, to, ...jobMailOf(run, portalOf(services.publicUrl, run.domain)) },
    signal,
  );
}

/** The host name of a brand where it is one that can be typed; otherwise the address of the portal as it is. */
function portalOf(publicUrl: string, domain: string): string {
  const url = new URL(publicUrl);
  if (domain.includes('.')) url.hostname = domain;
  return url.href;
}

function recordWithin(services: MailServices, stored: StoredConnection, health: RecordedHealth): Promise<void> {
  return transaction(services.database, (connection) => recordHealth(connection, stored, health, services.now()));
}

async function note(database: Pool, { providerId, sessionId }: JobMail, text: string): Promise<void> {
  const log = new SessionLog(database, { providerId, id: sessionId });
  log.add('warning', null, text);
  await log.flush();
}
