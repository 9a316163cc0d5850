import type { Microsoft365Engine, NewJob } from '@keepwatch/connectors/ports/microsoft365-engine';
import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../../foundation/database.ts';
import { type FieldError, invalid } from '../../foundation/errors.ts';
import type { SignedInContext } from '../../foundation/http/context.ts';
import type { Scope } from '../../foundation/scope.ts';
import { askEngine } from '../engine/ask-engine.ts';
import { listRepositories } from '../repositories/repositories.ts';
import { machinesOf } from '../workers/machines.ts';
import { findJob, jobsAfter } from './jobs.ts';

/** What a job names beside itself must be of its organization. @throws a 422 that names what is not */
export async function requireParts(
  context: SignedInContext,
  engine: Microsoft365Engine<Connection>,
  { id, organizationId, job }: { id: string; organizationId: string; job: NewJob },
): Promise<void> {
  const { database, scope } = context;
  const errors = [
    ...(await repositoryErrors(database, scope, organizationId, job)),
    ...(await proxyErrors(context, engine, job)),
    ...(await chainErrors(database, scope, id, organizationId, job)),
  ];
  if (errors.length > 0) throw invalid(errors);
}

async function repositoryErrors(
  connection: Connection,
  scope: Scope,
  organizationId: string,
  { repositoryId }: NewJob,
): Promise<FieldError[]> {
  const found = await listRepositories(connection, scope, { organizationIds: [organizationId], repositoryId });
  return found.length > 0 ? [] : [{ path: 'body.repositoryId', message: 'must be a repository of the organization' }];
}

async function proxyErrors(
  context: SignedInContext,
  engine: Microsoft365Engine<Connection>,
  { proxyPoolId }: NewJob,
): Promise<FieldError[]> {
  if (proxyPoolId === null) return [];
  const { proxies, pools } = await askEngine(context, engine, machinesOf);
  if ([...proxies, ...pools].some(({ id }) => id === proxyPoolId.toLowerCase())) return [];
  return [{ path: 'body.proxyId', message: 'must be a proxy or a pool of proxies that exists' }];
}

/**
 * Requires once more, in the transaction that stores the job, what another change at the same time may have removed: its repository, which stays
 * until the transaction has ended, and a chain without a circle, whose jobs would run for ever. @throws a 422
 */
export async function requireStillThere(
  connection: Connection,
  scope: Scope,
  { id, organizationId, job }: { id: string; organizationId: string; job: NewJob },
): Promise<void> {
  if (job.schedule.type === 'Chained') await lockChains(connection, organizationId);
  await execute(
    connection,
    sql`select r.id from m365_repositories r where ${scope.rows('r')} and r.id = ${job.repositoryId} for key share`,
  );
  const errors = [
    ...(await repositoryErrors(connection, scope, organizationId, job)),
    ...(await chainErrors(connection, scope, id, organizationId, job)),
  ];
  if (errors.length > 0) throw invalid(errors);
}

/** One change at a time of what runs after what, in an organization. */
export function lockChains(connection: Connection, organizationId: string): Promise<unknown> {
  return execute(
    connection,
    sql`select pg_advisory_xact_lock(hashtextextended(${`m365-chains ${organizationId.toLowerCase()}`}, 0))`,
  );
}

async function chainErrors(
  connection: Connection,
  scope: Scope,
  id: string,
  organizationId: string,
  { schedule: { type, afterJobId } }: NewJob,
): Promise<FieldError[]> {
  if (type !== 'Chained' || afterJobId === null) return [];
  const path = 'body.schedulePolicy.afterJobId';
  if ((await findJob(connection, scope, afterJobId, organizationId)) === null)
    return [{ path, message: 'must be another job of the organization' }];
  const after = await jobsAfter(connection, { providerId: scope.providerId, id });
  return after.has(afterJobId.toLowerCase()) ? [{ path, message: 'must not be a job that runs after this one' }] : [];
}
