import {
  type EngineJob,
  type EngineProxy,
  type EngineProxyPool,
  type EngineRepository,
  type JobSession,
  type Microsoft365Engine,
  Missing,
  type NewJob,
  type NewRepository,
  type ObjectPage,
  type ObjectQuery,
  type Page,
  type PageRange,
  Refused,
  type RepositoryChanges,
  type SessionLogLine,
  type Storing,
} from '@keepwatch/connectors/ports/microsoft365-engine';
import { sql } from 'drizzle-orm';
import { VERSION } from '../../branding/brands.ts';
import { type Connection, row } from '../../foundation/database.ts';
import { Scope } from '../../foundation/scope.ts';
import { newId } from '../../foundation/secrets.ts';
import type { JobDetailRow } from '../jobs/job-row.ts';
import { insertJob, readJobRows, removeJob, switchJob, updateJob } from '../jobs/jobs.ts';
import { readDirectory } from '../organizations/directory/read-directory.ts';
import type { OrganizationKey } from '../organizations/organization-services.ts';
import { placeUsed, prepareRepository } from '../repositories/create-repository.ts';
import { hasBackups } from '../repositories/has-backups.ts';
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
  isWrittenInto,
  makeSession,
  readSessionLog,
  readSessionRows,
} from '../sessions/sessions.ts';
import { listPools, listProxies } from '../workers/workers.ts';
import { engineJobOf, engineRepositoryOf, engineSessionOf } from './engine-values.ts';

/** What the built-in engine works with. */
export interface BuiltInServices extends Omit<RunServices, 'database' | 'log'> {
  /** What is read is read by it; changes are stored in the transactions that are given to them. */
  database: Connection;
}

type Stores<T = void> = Promise<Storing<Connection, T>>;

/** The engine of this portal for one organization: what is asked of it is in the portal's own tables, so all of a change is to store it. */
export class BuiltInEngine implements Microsoft365Engine<Connection> {
  readonly isElsewhere: boolean = false;
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

  async listObjects(query: ObjectQuery, signal: AbortSignal): Promise<ObjectPage> {
    signal.throwIfAborted();
    return readDirectory(await this.services.connect(this.organization), this.organization, query, signal);
  }

  async listRepositories(signal: AbortSignal): Promise<readonly EngineRepository[]> {
    signal.throwIfAborted();
    const organizationIds = [this.organization.id];
    return (await listRepositories(this.services.database, this.scope, { organizationIds })).map(engineRepositoryOf);
  }

  async hasBackups(repositoryId: string, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    await this.requireRepository(this.services.database, repositoryId);
    return hasBackups(this.services, this.keyOf(repositoryId));
  }

  async createRepository(given: NewRepository, signal: AbortSignal): Stores<string> {
    signal.throwIfAborted();
    const prepared = await prepareRepository(this.services, this.organization, given, signal);
    return async (connection) => {
      if (!(await insertRepository(connection, prepared, this.services.now()))) throw placeUsed(prepared.place.place);
      return prepared.id;
    };
  }

  async changeRepository(id: string, changes: RepositoryChanges, signal: AbortSignal): Stores {
    signal.throwIfAborted();
    return async (connection) => {
      await this.requireRepository(connection, id);
      await updateRepository(connection, this.keyOf(id), changes);
    };
  }

  async removeRepository(id: string, signal: AbortSignal): Stores {
    signal.throwIfAborted();
    return async (connection) => {
      const { name, jobCount } = await this.requireRepository(connection, id);
      if (jobCount > 0) throw inUse(name, jobCount);
      if (await isWrittenInto(connection, this.keyOf(id))) throw writtenInto(name);
      await removeRepository(connection, this.keyOf(id));
    };
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
    signal.throwIfAborted();
    return engineJobOf(await this.requireJob(this.services.database, id));
  }

  async createJob(given: NewJob, runNow: boolean, signal: AbortSignal): Stores<string> {
    signal.throwIfAborted();
    return async (connection) => {
      await this.requireRepository(connection, given.repositoryId);
      const key = this.keyOf(newId());
      await insertJob(connection, key, this.organization.id, given, this.services.now());
      if (runNow) await this.begin(connection, key.id);
      return key.id;
    };
  }

  async changeJob(id: string, given: NewJob, runNow: boolean, signal: AbortSignal): Stores {
    signal.throwIfAborted();
    return async (connection) => {
      await this.requireJob(connection, id);
      await this.requireRepository(connection, given.repositoryId);
      await updateJob(connection, this.keyOf(id), given, this.services.now());
      // A job that runs has what was asked for.
      if (runNow) await this.begin(connection, id);
    };
  }

  async removeJob(id: string, signal: AbortSignal): Stores {
    signal.throwIfAborted();
    return async (connection) => {
      const { name } = await this.requireJob(connection, id);
      if (await isRunning(connection, this.keyOf(id))) throw running(name, 'Stop it, and delete it when it has ended.');
      await removeJob(connection, this.keyOf(id));
    };
  }

  async startJob(id: string, signal: AbortSignal): Stores<string> {
    signal.throwIfAborted();
    return async (connection) => {
      const { name } = await this.requireJob(connection, id);
      const session = await this.begin(connection, id);
      if (session === null) throw running(name, 'Wait for its end, or stop it.');
      return session;
    };
  }

  async stopJob(id: string, signal: AbortSignal): Stores {
    signal.throwIfAborted();
    return async (connection) => {
      const { name } = await this.requireJob(connection, id);
      const at = this.services.now();
      const stopped = await askToStop(connection, this.keyOf(id), at);
      if (stopped === null)
        throw new Refused('JOB_NOT_RUNNING', `The job "${name}" does not run. There is nothing to stop.`);
      await endUnclaimed(connection, this.keyOf(id), at);
    };
  }

  async switchJob(id: string, isEnabled: boolean, signal: AbortSignal): Stores {
    signal.throwIfAborted();
    return async (connection) => {
      await this.requireJob(connection, id);
      await switchJob(connection, this.keyOf(id), isEnabled, this.services.now());
    };
  }

  async listSessions(jobId: string, page: PageRange, signal: AbortSignal): Promise<Page<JobSession>> {
    signal.throwIfAborted();
    const { database } = this.services;
    await this.requireJob(database, jobId);
    const found = await readSessionRows(database, this.keyOf(jobId), { ...page, limit: page.limit + 1 });
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

  /** @returns the id of the run; `null` while one goes on */
  private begin(connection: Connection, id: string): Promise<string | null> {
    return makeSession(connection, this.keyOf(id), this.services.now(), true);
  }

  private async requireJob(connection: Connection, id: string): Promise<JobDetailRow> {
    const [found] = await readJobRows(connection, this.organization, id);
    if (found === undefined) throw new Missing('job');
    return found;
  }

  private async requireRepository(connection: Connection, repositoryId: string) {
    const organizationIds = [this.organization.id];
    const [found] = await listRepositories(connection, this.scope, { organizationIds, repositoryId });
    if (found === undefined) throw new Missing('repository');
    return found;
  }
}

const running = (name: string, next: string) => new Refused('JOB_RUNNING', `The job "${name}" runs now. ${next}`);

const writtenInto = (name: string) =>
  new Refused('REPOSITORY_IN_USE', `A run writes into the repository "${name}" now. Stop it, or wait for its end.`);

const inUse = (name: string, jobCount: number) =>
  new Refused(
    'REPOSITORY_IN_USE',
    `${jobCount === 1 ? 'A job uses' : `${jobCount} jobs use`} the repository "${name}". Give them another repository or delete them first.`,
  );
