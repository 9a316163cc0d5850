import { sql } from 'drizzle-orm';
import { type Connection, row } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { Scope } from '../../foundation/scope.ts';

/** What was read of a job before it is changed. */
export interface ReadJob {
  id: string;
  /** As it was read; `undefined`: the caller does not say. */
  version: number | undefined;
}

/**
 * Requires that a job is as it was read, and locks it for the transaction: what another person has changed since must not be overwritten.
 * @param next what to do now, for people @throws Refusal 409
 */
export async function requireUnchanged(
  connection: Connection,
  scope: Scope,
  { id, version }: ReadJob,
  next: string,
): Promise<void> {
  if (version === undefined) return;
  const found = await row<{ name: string; version: number }>(
    connection,
    sql`select j.name, j.version from m365_jobs j where j.provider_id = ${scope.providerId} and j.id = ${id} for update`,
  );
  if (found !== null && found.version !== version)
    throw new Refusal(
      409,
      'JOB_CHANGED',
      `"${found.name}" was changed by another person, or in another window, since you opened it. ${next}`,
    );
}
