import { connect, type GraphOptions, openSend } from '@keepwatch/engine/engine';
import type { TenantFault } from '@keepwatch/sandbox/microsoft365/faults/fault';
import type { RunningTenant } from '@keepwatch/sandbox/microsoft365/server';
import { systemClock } from '../../foundation/clock.ts';
import type { Pool } from '../../foundation/database.ts';
import { reasonOf } from '../../foundation/errors.ts';
import type { Log } from '../../foundation/log.ts';
import type { SecretBox } from '../../foundation/secrets.ts';
import { countUsers } from '../../microsoft365/licensing/count-users.ts';
import type { OrganizationKey } from '../../microsoft365/organizations/organization-services.ts';
import { measureRepository } from '../../microsoft365/repositories/measure-repositories.ts';
import { findSealedRepository } from '../../microsoft365/repositories/repositories.ts';
import { openStoredRepositories } from '../../microsoft365/repositories/stored-repositories.ts';
import type { RunServices } from '../../microsoft365/sessions/run-services.ts';
import { runSession } from '../../microsoft365/sessions/run-session.ts';
import { findFirstJob, type JobPlace, removeUnfinished } from '../../microsoft365/sessions/worker-runs.ts';
import { reportEnd, reportWorker } from '../../microsoft365/workers/workers.ts';
import { claimNight, HISTORIAN, missingNights } from './history-runs.ts';
import { type LivingTenants, startLivingTenants } from './living-tenants.ts';
import { isWorseNight } from './nights.ts';

export interface HistoryParts {
  database: Pool;
  databaseUrl: string;
  secrets: SecretBox;
  log: Log;
  organization: OrganizationKey;
  /** On which it was connected. */
  morning: Date;
  /** The tenants that people use. */
  present: RunningTenant;
  /** Before that nothing is done. @throws the reason of the signal */
  untilReady(signal: AbortSignal): Promise<void>;
}

/** How history goes on in the background. */
export interface History {
  /** Never rejects. */
  ended: Promise<void>;
  stop(): Promise<void>;
}

/** Sessions of the database for the catalog. */
const CATALOG_SESSIONS = { queries: 2, pinned: 2 };

/**
 * Makes the nights that the demonstration's organization has behind it: its job runs against tenants of its own, which are the same as those that people
 * use, and whose clock goes through three weeks. What is missing after the program was ended in between is made at its next start.
 */
export async function beginHistory(parts: HistoryParts): Promise<History> {
  const job = await findFirstJob(parts.database, parts.organization);
  if (job === null) return { ended: Promise.resolve(), stop: async () => undefined };
  await removeUnfinished(parts.database, job, HISTORIAN.id);
  const stopping = new AbortController();
  const ended = makeHistory(parts, job, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) parts.log.warn({ reason: reasonOf(error) }, 'the demonstration has no past');
  });
  return {
    ended,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function makeHistory(parts: HistoryParts, job: JobPlace, signal: AbortSignal): Promise<void> {
  const nights = await missingNights(parts.database, job, parts.morning, systemClock.now());
  if (nights.length === 0) return;
  await parts.untilReady(signal);
  const world = await startLivingTenants(parts.morning, { budgets: false });
  const { services, close } = await openServices(parts, world);
  try {
    await reportWorker(parts.database, HISTORIAN, 1);
    for (const night of nights) {
      world.liveUntil(night);
      world.tenants.setFaults(faultsOf(night, parts.morning));
      if (signal.aborted || !(await spendNight(services, world, job, night, signal))) break;
    }
    const present = { ...services, now: systemClock.now };
    await countUsers(present, signal);
    await measure(present, job, signal);
  } finally {
    await reportEnd(parts.database, HISTORIAN);
    await close();
    await world.tenants.stop();
  }
}

/** A worker may have measured it while it was empty, and sees no newer run: those of history ended before. */
async function measure(
  services: RunServices,
  { providerId, repositoryId }: JobPlace,
  signal: AbortSignal,
): Promise<void> {
  const repository = await findSealedRepository(services.database, { providerId, id: repositoryId });
  if (repository !== null) await measureRepository(services, repository, signal);
}

/** What the runs need, as of the tenants' time. */
async function openServices(
  { database, databaseUrl, secrets, log, present }: HistoryParts,
  { tenants, clock }: LivingTenants,
) {
  const { tenantId, loginUrl, graphUrl, sharePointUrl } = present;
  const { clientId, clientSecret: secret } = tenants.application;
  const now = () => new Date(clock.now());
  const rules = { repositoryRoot: null, allowPrivateAddresses: false };
  const stored = openStoredRepositories({ databaseUrl, rules, ...CATALOG_SESSIONS, now });
  const applications = [{ clientId, secret }];
  const send = await sendTo(tenants.url, present.url);
  const place = { cloud: 'worldwide', loginUrl, graphUrl, sharePointUrl, send } as const;
  const connection = connect({ ...place, tenantId, applications, clock }, () => undefined);
  const services: RunServices = { database, stored, log, secrets, now, connect: () => connection };
  return { services, close: stored.close };
}

/**
 * Sends to the tenants of the past what is addressed to those of the present. The next run begins at links that the last one was given, so that they
 * must be of the present's address; the sandbox makes them of the host that a request names.
 */
async function sendTo(past: string, present: string): Promise<NonNullable<GraphOptions['send']>> {
  const send = await openSend([new URL(past).hostname]);
  const { host } = new URL(present);
  return ({ url, headers, ...request }) =>
    send({ ...request, url: url.replace(present, past), headers: { ...headers, host } });
}

/** @returns `false` where the past ends: the job runs now */
async function spendNight(
  services: RunServices,
  { clock }: LivingTenants,
  job: JobPlace,
  night: Date,
  signal: AbortSignal,
): Promise<boolean> {
  clock.runFrom(night);
  const session = await claimNight(services.database, job, night);
  if (session === null) return false;
  const run = runSession(services, session, HISTORIAN);
  const leave = () => run.stop('leaving');
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  await run.ended;
  signal.removeEventListener('abort', leave);
  return true;
}

/** So that an item can be missing from a restore point, as happens to everyone: its drive answers with errors all night. */
function faultsOf(night: Date, morning: Date): TenantFault[] {
  return isWorseNight(night, morning) ? [{ path: '*/content', kind: 'server-error' }] : [];
}
