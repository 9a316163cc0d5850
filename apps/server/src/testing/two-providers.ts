import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute, rows } from '../foundation/database.ts';
import { hashOfToken, newId } from '../foundation/secrets.ts';
import { insertMaintenance } from '../microsoft365/maintenance/maintenance-runs.ts';
import { insertDefaultPlans } from '../microsoft365/maintenance/plans.ts';
import { wholeSpan } from '../runs/faults/merged-spans.ts';
import { refreshFaults } from '../runs/faults/refresh-faults.ts';
import { type BuiltJob, buildCompany, buildExecution, buildHint, buildJob, buildSource } from './builders.ts';
import {
  buildDirectory,
  buildLicensedUser,
  buildM365Job,
  buildM365Repository,
  buildObjectPoint,
  buildOrganization,
  buildRestoreRole,
  buildSession,
} from './microsoft365-builders.ts';
import { buildComputer, buildDay, buildRepository, buildRepositoryDay, dayAgo, daysAgo } from './report-builders.ts';
import { TEST_NOW } from './test-portal.ts';

/** A company with rows of every kind; each text of theirs carries the marker, so that a row that leaks is seen. */
export interface MarkedCompany {
  providerId: number;
  id: string;
  marker: string;
}

export interface TwoProviders {
  companies: MarkedCompany[];
  /** Ids of everything that was built, of both providers. */
  ids: string[];
  /** Those that fields of these names mean, of both providers. */
  idsOf: Record<'organizationId' | 'repositoryId' | 'jobId' | 'sessionId' | 'opRoleId', string[]>;
}

/** Two providers with three companies each, and in each provider rows of no company under a marker of its own. */
export async function buildTwoProviders(connection: Connection): Promise<TwoProviders> {
  const ids: string[] = [];
  const companies: MarkedCompany[] = [];
  const idsOf: TwoProviders['idsOf'] = { organizationId: [], repositoryId: [], jobId: [], sessionId: [], opRoleId: [] };
  await nameProviders(connection);
  for (const providerId of [1, 2]) {
    const sourceId = await buildSource(connection, { providerId });
    const hint = `p${providerId}own`;
    ids.push(sourceId, await buildHint(connection, { providerId, title: hint, text: hint, words: 'message' }));
    for (const letter of ['a', 'b', 'c']) {
      const marker = `p${providerId}${letter}mark`;
      const id = await buildCompany(connection, { providerId, name: `Company ${marker}`, vacId: `vac-${marker}` });
      companies.push({ providerId, id, marker });
      ids.push(id, ...(await buildRows(connection, { providerId, companyId: id, sourceId, marker })));
      ids.push(await buildToken(connection, { providerId, companyId: id, marker }));
      ids.push(...(await buildCompanyRecords(connection, { providerId, companyId: id, marker })));
      await buildSubProvider(connection, { providerId, companyId: id, marker });
      const built = await buildMicrosoft365(connection, { providerId, companyId: id, marker });
      for (const name of ['organizationId', 'repositoryId', 'jobId', 'sessionId', 'opRoleId'] as const)
        idsOf[name].push(built[name]);
      ids.push(...Object.values(built));
    }
    const shared = { providerId, companyId: null, sourceId, marker: `p${providerId}nobodymark` };
    ids.push(...(await buildRows(connection, shared)));
    ids.push(...(await buildFaultsOf(connection, providerId)));
    await buildFaultViewers(connection, providerId);
  }
  return { companies, ids, idsOf };
}

/** The faults of all runs; gives their ids. */
async function buildFaultsOf(connection: Connection, providerId: number): Promise<string[]> {
  const jobs = await rows<{ uid: string }>(
    connection,
    sql`select job_instance_uid as uid from jobs where provider_id = ${providerId}`,
  );
  await refreshFaults(
    connection,
    providerId,
    jobs.map(({ uid }) => wholeSpan(uid)),
  );
  const found = await rows<{ id: string }>(connection, sql`select id from faults where provider_id = ${providerId}`);
  return found.map(({ id }) => id);
}

/** Each job's newest fault is open to a user of a name that says whose job it is. */
async function buildFaultViewers(connection: Connection, providerId: number): Promise<void> {
  await execute(
    connection,
    sql`insert into fault_viewers (provider_id, user_id, username, fault_id, since, expires_at)
        select distinct on (j.job_instance_uid) ${providerId}::int, gen_random_uuid(), 'user ' || j.name, f.id, ${TEST_NOW}::timestamptz, ${daysAgo(-1)}::timestamptz
        from jobs j join faults f on f.provider_id = j.provider_id and f.job_instance_uid = j.job_instance_uid
        where j.provider_id = ${providerId} order by j.job_instance_uid, f.opened_at desc`,
  );
}

/** Gives each provider the name by which one that leaks is seen. */
export async function nameProviders(connection: Connection): Promise<void> {
  await execute(connection, sql`update providers set name = 'provider p' || id || 'own'`);
}

/** An organization with a repository, and a job that has run. */
async function buildMicrosoft365(
  connection: Connection,
  { providerId, companyId, marker }: { providerId: number; companyId: string; marker: string },
): Promise<Record<keyof TwoProviders['idsOf'], string>> {
  const organizationId = await buildOrganization(connection, { providerId, companyId, name: `Organization ${marker}` });
  const organization = { providerId, id: organizationId, companyId };
  const repositoryId = await buildM365Repository(connection, organization, { name: `Repository ${marker}` });
  const jobId = await buildM365Job(connection, organization, { repositoryId, name: `Backup ${marker}` });
  const sessionId = await buildSession(connection, { providerId, id: jobId }, { message: `message ${marker}` });
  const repository = { providerId, id: repositoryId };
  await insertDefaultPlans(connection, repository, TEST_NOW);
  const order = { kind: 'verify', depth: 'quick', isDryRun: false, username: `user ${marker}` } as const;
  await insertMaintenance(connection, repository, order, TEST_NOW);
  const opRoleId = await buildRestoreRole(connection, organization, { name: `Role ${marker}` });
  const address = `ada@${marker}.example`;
  const periods = [[dayAgo(40), dayAgo(1)]] as const;
  await buildLicensedUser(connection, organization, { name: `Ada ${marker}`, address, periods });
  await buildDirectory(connection, organization, { people: 3, unprotected: [`Bob ${marker}`] });
  const point = { repositoryId, jobId, name: `Cyd ${marker}`, completeAt: daysAgo(2) };
  await buildObjectPoint(connection, organization, point);
  return { organizationId, repositoryId, jobId, sessionId, opRoleId };
}

interface Owner {
  providerId: number;
  companyId: string | null;
  sourceId: string;
  marker: string;
}

async function buildRows(connection: Connection, owner: Owner): Promise<string[]> {
  const { marker } = owner;
  const repository = await buildRepository(connection, { ...owner, name: `Repository ${marker}`, path: `/${marker}` });
  for (const [index, usedBytes] of [100, 200, 300].entries())
    await buildRepositoryDay(connection, repository, dayAgo(index), { usedBytes });
  const computer = await buildComputer(connection, { ...owner, hostName: `PC-${marker}`, note: `note ${marker}` });
  const unprotected = await buildComputer(connection, { ...owner, hostName: `PC2-${marker}`, hasAgent: false });
  const ids = [repository.id, computer, unprotected];
  for (const given of [
    { overdueAt: daysAgo(1), lastResult: 'Failed' },
    { lastResult: 'Failed' },
    { isEnabled: false },
  ] as const) {
    const job = await buildJob(connection, { ...owner, ...given, name: `Job ${marker}` });
    await execute(
      connection,
      sql`update jobs set server_name = ${`server ${marker}`}, target_name = ${`target ${marker}`} where job_instance_uid = ${job.jobInstanceUid}`,
    );
    ids.push(job.jobInstanceUid);
    for (const day of [0.2, 1.2, 20]) {
      const startedAt = daysAgo(day);
      // The newest one of the overdue job is a run that it missed, that of the others the last run that they know of.
      const result = 'overdueAt' in given && day < 1 ? 'DidntRun' : 'Failed';
      const execution = await buildExecution(connection, job, { startedAt, result, message: `message ${marker}` });
      if (result === 'Failed') await storeLastRun(connection, job, execution, startedAt);
      await execute(
        connection,
        sql`insert into job_execution_logs (provider_id, started_at, execution_id, lines)
            values (${owner.providerId}, ${startedAt}, ${execution}, ${JSON.stringify([{ at: null, level: 'error', text: marker }])})`,
      );
      await buildDay(connection, job, startedAt.toISOString().slice(0, 10), {
        failed: 1,
        transferredBytes: 5,
        durationMsMax: 7,
      });
      ids.push(execution);
    }
  }
  ids.push(...(await buildSharedJob(connection, owner)), ...(await buildSolved(connection, owner)));
  ids.push(await buildLog(connection, owner));
  await execute(
    connection,
    sql`insert into unmatched_runs (provider_id, id, source_id, external_id, job_name, company_id, started_at, result, message)
        values (${owner.providerId}, ${newId()}, ${owner.sourceId}, ${marker}, ${`Unmatched ${marker}`}, ${owner.companyId}, ${TEST_NOW},
          'Failed', ${`message ${marker}`})`,
  );
  return ids;
}

/** Two jobs of one name, and a run that may be of either. */
async function buildSharedJob(connection: Connection, owner: Owner): Promise<string[]> {
  const { marker } = owner;
  const shared = await buildJob(connection, { ...owner, name: `Shared ${marker}` });
  await execute(connection, sql`update jobs set shared_by = 2 where job_instance_uid = ${shared.jobInstanceUid}`);
  const ids = [shared.jobInstanceUid];
  for (let number = 0; number < 2; number += 1) {
    const { jobInstanceUid } = await buildJob(connection, { ...owner, name: `Shared ${marker}` });
    await execute(
      connection,
      sql`update jobs set shared_job = ${shared.jobInstanceUid}, server_name = ${`server ${marker}`} where job_instance_uid = ${jobInstanceUid}`,
    );
    ids.push(jobInstanceUid);
  }
  for (const day of [0.5, 1.5])
    ids.push(await buildExecution(connection, shared, { startedAt: daysAgo(day), message: `message ${marker}` }));
  return ids;
}

/** A fault that was resolved with a note, and a new one of the same message: one that all companies have. */
async function buildSolved(connection: Connection, owner: Owner): Promise<string[]> {
  const { marker } = owner;
  const job = await buildJob(connection, { ...owner, name: `Solved ${marker}` });
  const message = 'Consent of the administrator is missing';
  const solved = await buildExecution(connection, job, { startedAt: daysAgo(9), state: 'resolved', message });
  const note = { id: newId(), content: `note ${marker}`, userId: newId(), by: `user ${marker}`, at: TEST_NOW };
  await execute(
    connection,
    sql`update job_executions set notes = ${JSON.stringify([note])}, changed_at = ${TEST_NOW} where id = ${solved}`,
  );
  const fine = await buildExecution(connection, job, { startedAt: daysAgo(8), result: 'Success' });
  const open = await buildExecution(connection, job, { startedAt: daysAgo(7), message });
  return [job.jobInstanceUid, solved, fine, open];
}

/** Stores a run as the last one of its job, unless a newer one is stored. */
async function storeLastRun(connection: Connection, job: BuiltJob, id: string, startedAt: Date): Promise<void> {
  await execute(
    connection,
    sql`update jobs set last_execution_id = ${id}, last_started_at = ${startedAt}, last_result = 'Failed'
        where job_instance_uid = ${job.jobInstanceUid} and coalesce(last_started_at < ${startedAt}, true)`,
  );
}

async function buildToken(
  connection: Connection,
  { providerId, companyId, marker }: { providerId: number; companyId: string; marker: string },
): Promise<string> {
  const id = newId();
  await execute(
    connection,
    sql`insert into intake_tokens (token_hash, provider_id, id, company_id, name, created_at)
        values (${hashOfToken(marker)}, ${providerId}, ${id}, ${companyId}, ${`Token ${marker}`}, ${TEST_NOW})`,
  );
  return id;
}

/** A note of a company and a contact; gives their ids. */
async function buildCompanyRecords(
  connection: Connection,
  { providerId, companyId, marker }: { providerId: number; companyId: string; marker: string },
): Promise<string[]> {
  const [note, contact] = [newId(), newId()];
  await execute(
    connection,
    sql`insert into company_notes (provider_id, id, company_id, user_id, username, at, content)
        values (${providerId}, ${note}, ${companyId}, ${newId()}, ${`user ${marker}`}, ${TEST_NOW}, ${`note ${marker}`})`,
  );
  await execute(
    connection,
    sql`insert into company_contacts (provider_id, id, company_id, name, role, email, phone)
        values (${providerId}, ${contact}, ${companyId}, ${`Ada ${marker}`}, ${`role ${marker}`}, ${`ada@${marker}.example`}, null)`,
  );
  return [note, contact];
}

/** An entry of the audit log about a company, made by a user who is limited to it; without a company by one who is not limited. */
async function buildLog(connection: Connection, { providerId, companyId, marker }: Owner): Promise<string> {
  const id = newId();
  await execute(
    connection,
    sql`insert into audit_entries (provider_id, id, at, username, action, target_kind, target_id, after, company_ids)
        values (${providerId}, ${id}, ${daysAgo(1)}, ${`user ${marker}`}, 'company.create', 'company', ${companyId}, ${JSON.stringify({ name: marker })},
          ${companyId === null ? null : sql`array[${companyId}::uuid]`})`,
  );
  return id;
}

async function buildSubProvider(
  connection: Connection,
  { providerId, companyId, marker }: { providerId: number; companyId: string; marker: string },
): Promise<void> {
  const id = newId();
  await execute(
    connection,
    sql`insert into sub_providers (provider_id, id, name) values (${providerId}, ${id}, ${`Sub ${marker}`})`,
  );
  await execute(connection, sql`update companies set sub_provider_id = ${id} where id = ${companyId}`);
}

/** A table whose rows belong to a provider, and how its rows belong to a company, if they do. */
export interface TenantTable {
  name: string;
  company: 'id' | 'company_id' | 'job' | null;
}

/** All of them, from the catalog: a new table is watched without a line here. */
export function readTenantTables(connection: Connection): Promise<TenantTable[]> {
  const has = (column: string) =>
    sql`exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = ${column} and not a.attisdropped)`;
  return rows(
    connection,
    sql`select c.relname as name, case when c.relname = 'companies' then 'id' when ${has('company_id')} then 'company_id'
          when ${has('job_instance_uid')} then 'job' end as company
        from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
          and ${has('provider_id')} order by c.relname`,
  );
}

/** What a user reaches (`companyIds` is `null`: all companies of the provider). */
interface Scoped {
  providerId: number;
  companyIds: readonly string[] | null;
}

/**
 * Gives a fingerprint of every row outside a scope. It looks at the rows again only after one of any table was written since it last did for
 * that scope: most requests are refused and write none. A trigger counts each row that is written, in a sequence, which nothing rolls back.
 */
export async function openFingerprints(
  connection: Connection,
  tables: readonly TenantTable[],
): Promise<(scope: Scoped) => Promise<string>> {
  await execute(connection, sql`create sequence written_rows start 1`);
  await execute(
    connection,
    sql`create function count_written_row() returns trigger language plpgsql as 'begin perform nextval(''written_rows''); return null; end'`,
  );
  for (const { name } of tables) {
    const table = sql.identifier(name);
    const events = sql`after insert or update or delete on ${table} for each row`;
    await execute(connection, sql`create trigger count_written ${events} execute function count_written_row()`);
    await execute(
      connection,
      sql`create trigger count_emptied after truncate on ${table} for each statement execute function count_written_row()`,
    );
  }
  const written = () =>
    rows<{ count: string }>(connection, sql`select last_value || ' ' || is_called as count from written_rows`);
  const known = new Map<Scoped, { count: string | undefined; print: string }>();
  return async (scope) => {
    // First: what is written meanwhile is looked at the next time.
    const count = (await written())[0]?.count;
    const last = known.get(scope);
    if (last !== undefined && last.count === count) return last.print;
    const print = await fingerprintOutside(connection, tables, scope);
    known.set(scope, { count, print });
    return print;
  };
}

async function fingerprintOutside(
  connection: Connection,
  tables: readonly TenantTable[],
  { providerId, companyIds }: Scoped,
): Promise<string> {
  const parts = tables.map(({ name, company }) => {
    const isOfAnother = sql`t.provider_id <> ${providerId}`;
    const isOutside =
      company === null || companyIds === null
        ? isOfAnother
        : sql`(${isOfAnother} or not (${ofCompanies(company, companyIds)}))`;
    return sql`select ${name} as name, md5(string_agg(t::text, '|' order by t::text)) as print from ${sql.identifier(name)} t where ${isOutside}`;
  });
  // A parallel plan gives the tables in any order.
  const prints = await rows<{ print: string | null }>(
    connection,
    sql`${sql.join(parts, sql` union all `)} order by name`,
  );
  return prints.map(({ print }) => print).join();
}

/** The row (alias `t`) is of one of these companies. */
function ofCompanies(by: 'id' | 'company_id' | 'job', companyIds: readonly string[]): SQL {
  const ids = sql`any(${sql.param(companyIds)}::uuid[])`;
  if (by === 'job')
    return sql`exists (select from jobs j where j.provider_id = t.provider_id and j.job_instance_uid = t.job_instance_uid and j.company_id = ${ids})`;
  return sql`coalesce(t.${sql.identifier(by)} = ${ids}, false)`;
}
