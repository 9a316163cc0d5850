import {
  type DirectoryObject,
  type EngineJob,
  type EngineProxy,
  type EngineProxyPool,
  type EngineRepository,
  type JobSession,
  type Microsoft365Engine,
  Missing,
  type NewJob,
  type NewRepository,
  type ObjectQuery,
  type Page,
  type PageRange,
  Refused,
  type RepositoryChanges,
  type SessionLogLine,
} from '@keepwatch/connectors/ports/microsoft365-engine';
import { sql } from 'drizzle-orm';
import { VERSION } from '../../branding/brands.ts';
import { type Connection, row } from '../../foundation/database.ts';
import { Scope } from '../../foundation/scope.ts';
import { newId } from '../../foundation/secrets.ts';
import type { JobDetailRow } from '../jobs/job-row.ts';
import { insertJob, readJobRows, removeJob, switchJob, updateJob } from '../jobs/jobs.ts';
import { walkOf } from '../organizations/directory/walks.ts';
import type { OrganizationKey } from '../organizations/organization-services.ts';
import { placeUsed, prepareRepository } from '../repositories/create-repository.ts';
import {
  insertRepository,
  listRepositories,
  removeRepository,
  updateRepository,
} from '../repositories/repositories.ts';
import type { RunServices } from '../sessions/run-services.ts';
import {
  askToStop,
  endUnclaimed,
  isRunning,
  makeSession,
  readSessionLog,
  readSessionRows,
} from '../sessions/sessions.ts';
import { listPools, listProxies } from '../workers/workers.ts';
import { engineJobOf, engineRepositoryOf, engineSessionOf } from './engine-values.ts';

/** What the built-in engine works with: tables by a connection, which may be that of a transaction. */
export interface BuiltInServices extends Omit<RunServices, 'database' | 'log'> {
  database: Connection;
}

/** The engine of this portal for one organization: what is asked of it is in the portal's own tables. */
export class BuiltInEngine implements Microsoft365Engine {
  private readonly services: BuiltInServices;
  private readonly organization: OrganizationKey;
  private readonly scope: Scope;

  constructor(services: BuiltInServices, organization: OrganizationKey) {
    this.services = services;
    this.organization = organization;
    this.scope = new Scope(organization.providerId, null);
  }

  async test(signal: AbortSignal): Promise<{ version: string }> {
    signal.throwIfAborted();
    return { version: VERSION };
  }

  async listObjects(query: ObjectQuery, signal: AbortSignal): Promise<Page<DirectoryObject>> {
    signal.throwIfAborted();
    const { kind, search, parentId, limit, offset } = query;
    const { providerId, id } = this.organization;
    const connection = await this.services.connect(this.organization);
    const sought = { kind, search: search.trim(), parentId, withPersonalSites: true };
    const { walk } = walkOf(`${providerId} ${id}`, sought, offset + limit, Date.now());
    const { rows, count, isWhole } = await walk.page(connection, offset, limit, signal);
    return { rows, next: !isWhole || offset + rows.length < count };
  }

  async listRepositories(signal: AbortSignal): Promise<readonly EngineRepository[]> {
    signal.throwIfAborted();
    const organizationIds = [this.organization.id];
    return (await listRepositories(this.services.database, this.scope, { organizationIds })).map(engineRepositoryOf);
  }

  async createRepository(given: NewRepository, signal: AbortSignal): Promise<string> {
    const prepared = await prepareRepository(this.services, this.organization, given, signal);
    const { database, now } = this.services;
    if (!(await insertRepository(database, prepared, now()))) throw placeUsed(prepared.place.place);
    return prepared.id;
  }

  async changeRepository(id: string, changes: RepositoryChanges, signal: AbortSignal): Promise<void> {
    await this.requireRepository(id, signal);
    await updateRepository(this.services.database, this.keyOf(id), changes);
  }

  async removeRepository(id: string, signal: AbortSignal): Promise<void> {
    const { name, jobCount } = await this.requireRepository(id, signal);
    if (jobCount > 0) throw inUse(name, jobCount);
    await removeRepository(this.services.database, this.keyOf(id));
  }

  async listProxies(signal: AbortSignal): Promise<readonly EngineProxy[]> {
    signal.throwIfAborted();
    return listProxies(this.services.database);
  }

  async listProxyPools(signal: AbortSignal): Promise<readonly EngineProxyPool[]> {
    signal.throwIfAborted();
    return listPools(this.services.database);
  }

  async listJobs(signal: AbortSignal): Promise<readonly EngineJob[]> {
    signal.throwIfAborted();
    return (await readJobRows(this.services.database, this.organization)).map(engineJobOf);
  }

  async job(id: string, signal: AbortSignal): Promise<EngineJob> {
    return engineJobOf(await this.requireJob(id, signal));
  }

  async createJob(given: NewJob, signal: AbortSignal): Promise<string> {
    await this.requireRepository(given.repositoryId, signal);
    const key = this.keyOf(newId());
    const { database, now } = this.services;
    await insertJob(database, key, this.organization.id, given, now());
    return key.id;
  }

  async changeJob(id: string, given: NewJob, signal: AbortSignal): Promise<void> {
    await this.requireJob(id, signal);
    await this.requireRepository(given.repositoryId, signal);
    await updateJob(this.services.database, this.keyOf(id), given, this.services.now());
  }

  async removeJob(id: string, signal: AbortSignal): Promise<void> {
    const { name } = await this.requireJob(id, signal);
    if (await isRunning(this.services.database, this.keyOf(id)))
      throw running(name, 'Stop it, and delete it when it has ended.');
    await removeJob(this.services.database, this.keyOf(id));
  }

  async startJob(id: string, signal: AbortSignal): Promise<string> {
    const { name } = await this.requireJob(id, signal);
    const { database, now } = this.services;
    const session = await makeSession(database, this.keyOf(id), now(), true);
    if (session === null) throw running(name, 'Wait for its end, or stop it.');
    return session;
  }

  async stopJob(id: string, signal: AbortSignal): Promise<void> {
    const { name } = await this.requireJob(id, signal);
    const { database, now } = this.services;
    const stopped = await askToStop(database, this.keyOf(id), now());
    if (stopped === null)
      throw new Refused('JOB_NOT_RUNNING', `The job "${name}" does not run. There is nothing to stop.`);
    await endUnclaimed(database, this.keyOf(id), now());
  }

  async switchJob(id: string, isEnabled: boolean, signal: AbortSignal): Promise<void> {
    await this.requireJob(id, signal);
    await switchJob(this.services.database, this.keyOf(id), isEnabled, this.services.now());
  }

  async listSessions(jobId: string, page: PageRange, signal: AbortSignal): Promise<Page<JobSession>> {
    await this.requireJob(jobId, signal);
    const range = { limit: page.limit + 1, offset: page.offset };
    const found = await readSessionRows(this.services.database, this.keyOf(jobId), range);
    return { rows: found.slice(0, page.limit).map(engineSessionOf), next: found.length > page.limit };
  }

  async listSessionLog(sessionId: string, page: PageRange, signal: AbortSignal): Promise<Page<SessionLogLine>> {
    signal.throwIfAborted();
    const { database } = this.services;
    const { providerId, id: organizationId } = this.organization;
    const session = await row<{ jobId: string }>(
      database,
      sql`select s.job_id as "jobId" from m365_job_sessions s join m365_jobs j on j.provider_id = s.provider_id and j.id = s.job_id
          where s.provider_id = ${providerId} and s.id = ${sessionId} and j.organization_id = ${organizationId}`,
    );
    const found = session && (await readSessionLog(database, this.keyOf(session.jobId), sessionId, page));
    if (found === null) throw new Missing('run');
    const rows = found.data.map(({ creationTime, type, objectName, message }) => ({
      at: new Date(creationTime),
      level: type,
      objectName,
      text: message,
    }));
    return { rows, next: page.offset + rows.length < found.count };
  }

  private keyOf(id: string) {
    return { providerId: this.organization.providerId, id };
  }

  private async requireJob(id: string, signal: AbortSignal): Promise<JobDetailRow> {
    signal.throwIfAborted();
    const [found] = await readJobRows(this.services.database, this.organization, id);
    if (found === undefined) throw new Missing('job');
    return found;
  }

  private async requireRepository(repositoryId: string, signal: AbortSignal) {
    signal.throwIfAborted();
    const organizationIds = [this.organization.id];
    const [found] = await listRepositories(this.services.database, this.scope, { organizationIds, repositoryId });
    if (found === undefined) throw new Missing('repository');
    return found;
  }
}

const running = (name: string, next: string) => new Refused('JOB_RUNNING', `The job "${name}" runs now. ${next}`);

const inUse = (name: string, jobCount: number) =>
  new Refused(
    'REPOSITORY_IN_USE',
    `${jobCount === 1 ? 'A job uses' : `${jobCount} jobs use`} the repository "${name}". Give them another repository or delete them first.`,
  );
