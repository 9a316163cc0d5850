import type { BackupPlan, PortalBackup, PortalBackups } from '@keepwatch/contract/administration/backups';
import { sql } from 'drizzle-orm';
import { type Connection, row } from '../../foundation/database.ts';
import { update } from '../../foundation/table-writes.ts';
import { backupPlan } from '../tables.ts';

const DAY_MS = 86_400_000;
/** A backup that gave no sign of life for so long has ended with its process. */
const SILENT_MS = 60_000;

const ONLY = { isOnly: true };

export interface StoredPlan extends BackupPlan {
  begunAt: string | null;
  runningSince: string | null;
  seenAt: string | null;
  doneBytes: number;
  totalBytes: number;
  failedAt: string | null;
  failure: string | null;
}

export async function readPlan(connection: Connection, lock = sql``): Promise<StoredPlan> {
  const found = await row<StoredPlan>(
    connection,
    sql`select is_on as "isOn", at, keep, begun_at as "begunAt", running_since as "runningSince", seen_at as "seenAt",
          done_bytes as "doneBytes", total_bytes as "totalBytes", failed_at as "failedAt", failure
        from backup_plan ${lock}`,
  );
  if (found === null) throw new Error('The schedule of the backups is missing.');
  return found;
}

/** Sets the schedule. Its first backup is at the next time, not at one that is over. */
export async function setPlan(connection: Connection, plan: BackupPlan, now: Date): Promise<void> {
  await update(connection, backupPlan, { ...plan, begunAt: now }, ONLY);
}

/** Whether a backup of the schedule should have begun by now; marks that it does. It is `true` for one of several workers. */
export async function claimDueBackup(connection: Connection, now: Date): Promise<boolean> {
  const plan = await readPlan(connection, sql`for update`);
  if (!plan.isOn || (plan.begunAt !== null && Date.parse(plan.begunAt) >= lastTimeOf(plan.at, now))) return false;
  await update(connection, backupPlan, { begunAt: now }, ONLY);
  return true;
}

/** The last instant at which it was this time of the day in UTC. */
function lastTimeOf(at: string, now: Date): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const today = midnight + (hours * 60 + minutes) * 60_000;
  return today <= now.getTime() ? today : today - DAY_MS;
}

export function isRunning({ runningSince, seenAt }: StoredPlan, now: Date): boolean {
  return runningSince !== null && seenAt !== null && now.getTime() - Date.parse(seenAt) < SILENT_MS;
}

export function runningOf(plan: StoredPlan, now: Date): PortalBackups['running'] {
  const { runningSince, doneBytes, totalBytes } = plan;
  if (runningSince === null || !isRunning(plan, now)) return null;
  return { since: runningSince, doneBytes: Math.min(doneBytes, totalBytes), totalBytes };
}

/** Whether a backup began of which nothing is heard any more. One that still waits for a worker has no size yet. */
export function isKilled(plan: StoredPlan, now: Date): boolean {
  return plan.runningSince !== null && plan.totalBytes > 0 && !isRunning(plan, now);
}

/** Why the last backup failed. One of which the file is there did not: the database in that file still says that it is being made. */
export function failureOf(plan: StoredPlan, backups: readonly PortalBackup[], now: Date): PortalBackups['failure'] {
  const { runningSince, seenAt, failedAt, failure } = plan;
  if (runningSince === null || seenAt === null || !isKilled(plan, now))
    return failure === null || failedAt === null ? null : { at: failedAt, message: failure };
  const isThere = backups.some(({ createdAt }) => Date.parse(createdAt) >= Date.parse(runningSince));
  return isThere ? null : { at: seenAt, message: 'It ended with its process. Make another one.' };
}

/** Marks that a backup runs, of about so many bytes. */
export async function markBegun(connection: Connection, totalBytes: number, now: Date): Promise<void> {
  await update(connection, backupPlan, { runningSince: now, seenAt: now, doneBytes: 0, totalBytes }, ONLY);
}

export async function markProgress(connection: Connection, doneBytes: number, now: Date): Promise<void> {
  await update(connection, backupPlan, { doneBytes, seenAt: now }, ONLY);
}

/** Marks that it has ended, and why, if it failed. */
export async function markEnded(connection: Connection, failure: string | null, now: Date): Promise<void> {
  const ended = { runningSince: null, seenAt: null, failure, failedAt: failure === null ? null : now };
  await update(connection, backupPlan, ended, ONLY);
}
