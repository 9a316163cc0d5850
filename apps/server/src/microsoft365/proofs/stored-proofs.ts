import type { Microsoft365Proof, ProvedItem } from '@keepwatch/contract/microsoft365/proofs';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, row, rows } from '../../foundation/database.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import { newId } from '../../foundation/secrets.ts';
import { insert, update } from '../../foundation/table-writes.ts';
import type { JobKey } from '../jobs/jobs.ts';
import { m365Proofs } from '../tables.ts';
import { kindsOf } from './sample-kinds.ts';

/** A proof as a worker needs it. */
export interface StoredProof {
  providerId: number;
  id: string;
  jobId: string;
  organizationId: string;
  repositoryId: string;
  startedAt: string;
  /** Workers that have begun it and did not give it back, with the one that has it now. */
  claims: number;
}

/** How a proof ended. */
export interface ProofEnd {
  result: 'Success' | 'Warning' | 'Failed';
  message: string | null;
  restorePointAt: Date | null;
  items: number;
  bytes: number;
  sample: readonly ProvedItem[];
}

/** Returns the end of a proof that restored nothing. */
export const endWithout = (result: 'Warning' | 'Failed', message: string): ProofEnd => ({
  ...{ result, message, restorePointAt: null, items: 0, bytes: 0 },
  sample: [],
});

/** Makes a proof of a job. @returns its id; `null` while another one of it goes on */
export async function insertProof(
  connection: Connection,
  { providerId, id: jobId }: JobKey,
  username: string | null,
  at: Date,
): Promise<string | null> {
  const id = newId();
  const repositoryId = sql`(select j.repository_id from m365_jobs j where j.provider_id = ${providerId} and j.id = ${jobId})`;
  const made = await insert(
    connection,
    m365Proofs,
    { providerId, id, jobId, repositoryId, username, startedAt: at, result: 'Running' },
    sql`on conflict (provider_id, job_id) where ended_at is null do nothing`,
  );
  return made === 1 ? id : null;
}

const STORED: SQL = sql`p.provider_id as "providerId", p.id, p.job_id as "jobId", j.organization_id as "organizationId",
    p.repository_id as "repositoryId", p.started_at as "startedAt", p.claims`;

/** Begins a proof of where its job writes now in a worker; `null` where it has ended, or its job was deleted. */
export function claimProof(connection: Connection, providerId: number, id: string): Promise<StoredProof | null> {
  return row(
    connection,
    sql`update m365_proofs p set claims = p.claims + 1, repository_id = j.repository_id from m365_jobs j
        where p.provider_id = ${providerId} and p.id = ${id} and p.ended_at is null
          and j.provider_id = p.provider_id and j.id = p.job_id returning ${STORED}`,
  );
}

/** Gives a proof back, so that another worker begins it. */
export async function releaseProof(connection: Connection, { providerId, id }: StoredProof): Promise<void> {
  const which = sql`provider_id = ${providerId} and id = ${id} and ended_at is null`;
  await update(connection, m365Proofs, { claims: sql`claims - 1` }, which);
}

/** Lists the proofs without an end that were made before a time. */
export function listUnendedProofs(connection: Connection, before: Date): Promise<StoredProof[]> {
  return rows(
    connection,
    sql`select ${STORED} from m365_proofs p join m365_jobs j on j.provider_id = p.provider_id and j.id = p.job_id
        where p.ended_at is null and p.started_at < ${before} order by p.provider_id, p.id`,
  );
}

/** Ends a proof. @returns `false` where it had ended already */
export async function storeProofEnd(
  connection: Connection,
  { providerId, id }: StoredProof,
  { result, message, restorePointAt, items, bytes, sample }: ProofEnd,
  at: Date,
): Promise<boolean> {
  const found = await row(
    connection,
    sql`update m365_proofs p set ended_at = greatest(${at}, p.started_at), result = ${result}, message = ${message},
          restore_point_at = ${restorePointAt}, items = ${items}, bytes = ${bytes}, sample = ${JSON.stringify(sample)}::jsonb
        where p.provider_id = ${providerId} and p.id = ${id} and p.ended_at is null returning p.id`,
  );
  return found !== null;
}

/** Lists the proofs of a job, newest first. */
export async function listStoredProofs(
  connection: Connection,
  { providerId, id }: JobKey,
  { limit, offset }: { limit: number; offset: number },
): Promise<Page<Microsoft365Proof>> {
  const which = sql`p.provider_id = ${providerId} and p.job_id = ${id}`;
  const { count, data } = await readPage<Omit<Microsoft365Proof, 'kinds'>>(
    connection,
    sql`select p.id, p.username, p.started_at as "startTime", p.ended_at as "endTime", p.result as status, p.message as details,
          p.restore_point_at as "restorePointTime", p.items, p.bytes, p.sample
        from m365_proofs p where ${which} order by p.started_at desc, p.id limit ${limit} offset ${offset}`,
    sql`select count(*) as count from m365_proofs p where ${which}`,
  );
  return { count, data: data.map((proof) => ({ ...proof, kinds: kindsOf(proof.sample) })) };
}
