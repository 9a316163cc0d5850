import type { RetentionYears } from '@keepwatch/connectors/ports/microsoft365-engine';
import type { MaintenanceKind } from '@keepwatch/contract/microsoft365/maintenance';
import type { Microsoft365Repository } from '@keepwatch/contract/microsoft365/repositories';
import { type SQL, sql } from 'drizzle-orm';
import type { NameOfTarget } from '../../audit/target-name.ts';
import { every } from '../../foundation/conditions.ts';
import { type Connection, row, rows } from '../../foundation/database.ts';
import type { Scope } from '../../foundation/scope.ts';
import { FORGOTTEN } from '../../foundation/sealed-column.ts';
import { insert, remove, update } from '../../foundation/table-writes.ts';
import { isOfWorkers } from '../engine/work-of-workers.ts';
import { forgetRepository } from '../licensing/forget-backups.ts';
import { insertDefaultPlans, NEXT_MAINTENANCE } from '../maintenance/plans.ts';
import { m365Repositories } from '../tables.ts';
import type { StoredPlace } from './repository-place.ts';
import type { RepositoryKey } from './repository-secrets.ts';

/** A repository as the engine needs it: with its sealed secrets. */
export interface SealedRepository extends RepositoryKey {
  organizationId: string;
  engineId: string;
  place: StoredPlace;
  immutableDays: number;
  retentionYears: RetentionYears;
  secrets: Buffer;
}

/** Names a repository in the users logs. */
export const nameOfM365Repository: NameOfTarget = (scope, id) =>
  sql`select t.name from m365_repositories t where t.provider_id = ${scope.providerId} and t.id = ${id}`;

const SEALED = sql`select r.provider_id as "providerId", r.id, r.organization_id as "organizationId", r.engine_id as "engineId",
    json_build_object('kind', r.place_kind, 'place', r.place, 'settings', r.place_settings) as place,
    r.immutable_days as "immutableDays", r.retention_years as "retentionYears", r.secrets from m365_repositories r`;

/** Reads a repository with its sealed secrets; `null` if the provider has none of that id. */
export function findSealedRepository(
  connection: Connection,
  { providerId, id }: RepositoryKey,
): Promise<SealedRepository | null> {
  return row(connection, sql`${SEALED} where r.provider_id = ${providerId} and r.id = ${id}`);
}

/** Repositories that were not measured since a time, or since the latest run, verify or prune; those first that were not for longest. */
export function listUnmeasured(connection: Connection, since: Date, limit: number): Promise<SealedRepository[]> {
  return rows(
    connection,
    sql`${SEALED} where ${isOfWorkers('r')} and (r.measured_at is null or r.measured_at < ${since} or exists (
          select from m365_jobs j cross join lateral (
            select s.ended_at from m365_job_sessions s where s.provider_id = j.provider_id and s.job_id = j.id order by s.started_at desc limit 1) latest
          where j.provider_id = r.provider_id and j.repository_id = r.id and latest.ended_at > r.measured_at) or (
            select m.ended_at from m365_maintenance_runs m where m.provider_id = r.provider_id and m.repository_id = r.id
            order by m.started_at desc limit 1) > r.measured_at)
        order by r.measured_at nulls first, r.id limit ${limit}`,
  );
}

/** Which repositories a list is of. */
export interface RepositoryFilter {
  organizationIds?: readonly string[] | undefined;
  repositoryId?: string | undefined;
}

/** What is full only after that is not forecast. */
const FORECAST_DAYS_MAX = 365;

/** Lists repositories with what uses them, by name. */
export function listRepositories(
  connection: Connection,
  scope: Scope,
  filter: RepositoryFilter,
): Promise<Microsoft365Repository[]> {
  return rows(
    connection,
    sql`select r.id, r.name, r.organization_id as "organizationId", o.name as "organizationName", o.company_id as "companyId",
          o.engine, r.place_kind as kind, r.place as path, r.password_description as "passwordDescription", r.secrets = ${FORGOTTEN} as "needsPassword", r.retention_years as "retentionPolicy",
          r.immutable_days as "immutableDays", r.used_bytes as "usedBytes", r.free_bytes as "freeBytes",
          r.used_bytes + r.free_bytes as "capacityBytes", r.growth_bytes as "growthBytesPerDay",
          case when r.growth_bytes > 0 and r.free_bytes / r.growth_bytes <= ${FORECAST_DAYS_MAX}
            then r.measured_at + make_interval(secs => 86400.0 * r.free_bytes / r.growth_bytes) end as "fullAt", r.measured_at as "measuredAt",
          ${nextOf('verify')} as "nextVerify", ${nextOf('prune')} as "nextPrune",
          (select count(*) from m365_jobs j where j.provider_id = r.provider_id and j.repository_id = r.id) as "jobCount"
        from m365_repositories r join m365_organizations o on o.provider_id = r.provider_id and o.id = r.organization_id
        where ${conditions(scope, filter)} order by lower(r.name), r.id`,
  );
}

const nextOf = (kind: MaintenanceKind) =>
  sql`(select ${NEXT_MAINTENANCE} from m365_maintenance_plans p where p.provider_id = r.provider_id and p.repository_id = r.id and p.kind = ${kind})`;

function conditions(scope: Scope, { organizationIds, repositoryId }: RepositoryFilter): SQL {
  return every([
    scope.rows('o'),
    ...(organizationIds === undefined ? [] : [sql`r.organization_id = any(${sql.param(organizationIds)}::uuid[])`]),
    ...(repositoryId === undefined ? [] : [sql`r.id = ${repositoryId}`]),
  ]);
}

/** Reads one repository; `null` outside the scope. */
export async function findRepository(
  connection: Connection,
  scope: Scope,
  repositoryId: string,
): Promise<Microsoft365Repository | null> {
  const [found = null] = await listRepositories(connection, scope, { repositoryId });
  return found;
}

/** Reads an organization that a repository or job is to be of; `null` outside the scope. */
export function findOrganizationOf(
  connection: Connection,
  scope: Scope,
  organizationId: string,
): Promise<{ id: string; name: string; companyId: string } | null> {
  return row(
    connection,
    sql`select o.id, o.name, o.company_id as "companyId" from m365_organizations o where ${scope.rows('o')} and o.id = ${organizationId}`,
  );
}

/** A repository to be stored. */
export interface InsertedRepository extends Omit<SealedRepository, 'place'> {
  name: string;
  place: StoredPlace;
  passwordDescription: string;
}

/** Inserts a repository, with the plan of its maintenance; `false` where another one has its place. */
export async function insertRepository(
  connection: Connection,
  { place, ...repository }: InsertedRepository,
  at: Date,
): Promise<boolean> {
  const placed = { placeKind: place.kind, place: place.place, placeSettings: place.settings };
  const stored = { ...repository, ...placed, createdAt: at };
  const isNew =
    (await insert(connection, m365Repositories, stored, sql`on conflict (provider_id, place) do nothing`)) === 1;
  if (isNew) await insertDefaultPlans(connection, repository, at);
  return isNew;
}

/** Whether a place is that of a repository of the provider already, or a folder in, or around, that of any repository. */
export async function isPlaceUsed(
  connection: Connection,
  providerId: number,
  { kind, place }: StoredPlace,
): Promise<boolean> {
  const found = await row(
    connection,
    sql`select from m365_repositories r where (r.provider_id = ${providerId} and r.place = ${place})
          or (${kind} = 'folder' and r.place_kind = 'folder'
            and (starts_with(${`${place}/`}, r.place || '/') or starts_with(r.place || '/', ${`${place}/`}))) limit 1`,
  );
  return found !== null;
}

/** What of a repository can be changed. */
export interface RepositoryChange {
  name?: string | undefined;
  passwordDescription?: string | undefined;
  retentionYears?: RetentionYears | undefined;
  /** Sealed. */
  secrets?: Buffer | undefined;
}

export async function updateRepository(
  connection: Connection,
  key: RepositoryKey,
  { name, passwordDescription, retentionYears, secrets }: RepositoryChange,
): Promise<void> {
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(passwordDescription === undefined ? {} : { passwordDescription }),
    ...(retentionYears === undefined ? {} : { retentionYears }),
    ...(secrets === undefined ? {} : { secrets }),
  };
  await update(connection, m365Repositories, changes, key);
}

/** Locks a repository until the end of the transaction: no job is given it meanwhile. */
export function lockRepository(connection: Connection, scope: Scope, repositoryId: string): Promise<unknown> {
  return row(
    connection,
    sql`select r.id from m365_repositories r where ${scope.rows('r')} and r.id = ${repositoryId} for update`,
  );
}

/** Removes a repository, and what of it counts elsewhere. The caller has it locked, within the transaction of `connection`. */
export async function removeRepository(connection: Connection, key: RepositoryKey): Promise<void> {
  await forgetRepository(connection, key);
  await remove(connection, m365Repositories, key);
}

/** Stores what a repository uses and what is left in its place. */
export async function storeMeasure(
  connection: Connection,
  key: RepositoryKey,
  measured: { usedBytes: number | null; freeBytes: number | null; growthBytes: number | null },
  at: Date,
): Promise<void> {
  await update(connection, m365Repositories, { ...measured, measuredAt: at }, key);
}
