import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute, rows } from '../../foundation/database.ts';
import { forgetTexts } from '../../runs/forget-texts.ts';
import { monitoredMaintenance, monitoredProof } from '../monitoring/monitored-jobs.ts';
import type { RepositoryKey } from '../repositories/repository-secrets.ts';
import { type ErasedNames, namesErased } from './erased-names.ts';

/** Takes lines that name what was erased out of the records of a repository's runs, here and in Monitoring. The records stay. */
export async function forgetRecords(
  connection: Connection,
  repository: RepositoryKey,
  erased: ErasedNames,
): Promise<void> {
  if (erased.names.length + erased.words.length === 0) return;
  const isOf = (text: SQL) => namesErased(erased, text);
  await forgetLines(connection, repository, isOf);
  await forgetFindings(connection, repository, isOf);
  await forgetSamples(connection, repository, isOf);
  await forgetTexts(connection, repository.providerId, await monitoredIds(connection, repository), isOf);
}

type IsOf = (text: SQL) => SQL;

async function forgetLines(connection: Connection, { providerId, id }: RepositoryKey, isOf: IsOf): Promise<void> {
  await execute(
    connection,
    sql`delete from m365_session_log l using m365_job_sessions s
        where s.provider_id = ${providerId} and s.repository_id = ${id} and l.provider_id = s.provider_id and l.session_id = s.id
          and ${isOf(sql`coalesce(l.object_name || ': ', '') || l.text`)}`,
  );
  await execute(
    connection,
    sql`update m365_job_sessions s set message = null
        where s.provider_id = ${providerId} and s.repository_id = ${id} and s.message is not null and ${isOf(sql`s.message`)}`,
  );
}

async function forgetFindings(connection: Connection, { providerId, id }: RepositoryKey, isOf: IsOf): Promise<void> {
  const isNamed = isOf(sql`f.one->>'text'`);
  await execute(
    connection,
    sql`update m365_maintenance_runs m set message = case when ${isOf(sql`m.message`)} then null else m.message end, findings = (
          select coalesce(jsonb_agg(f.one order by f.place), '[]') from jsonb_array_elements(m.findings) with ordinality f (one, place) where not ${isNamed})
        where m.provider_id = ${providerId} and m.repository_id = ${id}
          and (${isOf(sql`m.message`)} or exists (select from jsonb_array_elements(m.findings) f (one) where ${isNamed}))`,
  );
}

async function forgetSamples(connection: Connection, { providerId, id }: RepositoryKey, isOf: IsOf): Promise<void> {
  const isNamed = isOf(sql`(f.one->>'objectName') || ': '`);
  await execute(
    connection,
    sql`update m365_proofs p set message = case when ${isOf(sql`p.message`)} then null else p.message end, sample = (
          select coalesce(jsonb_agg(f.one order by f.place), '[]') from jsonb_array_elements(p.sample) with ordinality f (one, place) where not ${isNamed})
        where p.provider_id = ${providerId} and p.repository_id = ${id}
          and (${isOf(sql`p.message`)} or exists (select from jsonb_array_elements(p.sample) f (one) where ${isNamed}))`,
  );
}

/** What Monitoring knows the runs, proofs and maintenance of a repository by. */
async function monitoredIds(connection: Connection, { providerId, id }: RepositoryKey): Promise<string[]> {
  const jobs = await rows<{ id: string }>(
    connection,
    sql`select j.id from m365_jobs j where j.provider_id = ${providerId} and j.repository_id = ${id} union
        select s.job_id from m365_job_sessions s where s.provider_id = ${providerId} and s.repository_id = ${id}`,
  );
  const ofJobs = jobs.flatMap((job) => [job.id, monitoredProof(providerId, job.id)]);
  return [...ofJobs, ...(['verify', 'prune'] as const).map((kind) => monitoredMaintenance(providerId, id, kind))];
}
