import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute, rows } from '../../foundation/database.ts';
import { forgetTexts, hasAny, without } from '../../runs/forget-texts.ts';
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
  for (const parts of [FINDINGS, SAMPLES]) await forgetParts(connection, repository, parts, isOf);
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

/** Of a verify or prune, or of a proof: the message, and what of the list names it. */
async function forgetParts(
  connection: Connection,
  { providerId, id }: RepositoryKey,
  { table, list, text }: Parts,
  isOf: IsOf,
): Promise<void> {
  const [message, parts] = [sql`r.message`, sql`r.${list}`];
  await execute(
    connection,
    sql`update ${table} r set message = case when ${isOf(message)} then null else ${message} end, ${list} = ${without(parts, isOf, text)}
        where r.provider_id = ${providerId} and r.repository_id = ${id} and (${isOf(message)} or ${hasAny(parts, isOf, text)})`,
  );
}

interface Parts {
  table: SQL;
  list: SQL;
  /** Of a part (alias `l`). */
  text: SQL;
}

const FINDINGS: Parts = { table: sql`m365_maintenance_runs`, list: sql`findings`, text: sql`l.one->>'text'` };
const SAMPLES: Parts = { table: sql`m365_proofs`, list: sql`sample`, text: sql`(l.one->>'objectName') || ': '` };

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
