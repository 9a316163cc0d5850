import * as z from 'zod/mini';
import type { CheckServices } from '../connections/check-unused.ts';
import { removeExpiredLinks } from '../directory/account-links.ts';
import type { Pool } from '../foundation/database.ts';
import { removeOldReplies } from '../foundation/http/idempotency.ts';
import { declareJob, type JobWork, work } from '../foundation/jobs.ts';
import { removeBegunAuthenticators } from './second-factors/authenticators.ts';
import { removeExpiredChallenges } from './second-factors/challenges.ts';
import { removeOldSmsCodes } from './second-factors/sms-codes.ts';
import { removeExpiredSessions } from './sessions.ts';
import { removeOldAttempts } from './sign-in-attempts.ts';
import { removeUnusedDevices } from './sign-in-devices.ts';
import { removeExpiredSignIns } from './single-sign-on/begun-sign-ins.ts';
import { recheckAccounts } from './user-directory/recheck-accounts.ts';

const forgetExpiredJob = declareJob({
  name: 'identity.forget-expired',
  payload: z.object({}),
  cron: '41 * * * *',
  concurrency: 1,
  timeLimitSeconds: 55,
});

const recheckAccountsJob = declareJob({
  name: 'identity.recheck-accounts',
  payload: z.object({}),
  cron: '*/10 * * * *',
  concurrency: 1,
  timeLimitSeconds: 540,
});

export const identityJobs: JobWork<CheckServices>[] = [
  work(forgetExpiredJob, ({ database, now }: CheckServices) => forgetExpired(database, now())),
  work(recheckAccountsJob, (services: CheckServices, _payload, signal) => recheckAccounts(services, signal)),
];

/** Deletes expired sessions, old sign-in attempts, links, challenges, sign-ins and authenticator apps that were only begun, messages with codes, devices that are not used any more and idempotency replies older than a day. */
export async function forgetExpired(database: Pool, now: Date): Promise<void> {
  await removeExpiredSessions(database, now);
  await removeOldAttempts(database, now);
  await removeExpiredLinks(database, now);
  await removeExpiredChallenges(database, now);
  await removeBegunAuthenticators(database, now);
  await removeExpiredSignIns(database, now);
  await removeOldSmsCodes(database, now);
  await removeUnusedDevices(database, now);
  await removeOldReplies(database, now);
}
