import { sql } from 'drizzle-orm';
import { type Connection, row } from '../../foundation/database.ts';
import { lookAgain } from '../../foundation/look-again.ts';
import type { StoredMaintenance } from './maintenance-runs.ts';

/** A run that ends when a person stops it. */
export interface Stopping {
  /** Aborted when it is stopped, and with the signal of the job. */
  signal: AbortSignal;
  isStopped(): boolean;
  /** To be called when the work is over. */
  end(): void;
}

/** Looks once a second whether a run was ended while it is done. */
export function followStop(
  connection: Connection,
  { providerId, id }: Pick<StoredMaintenance, 'providerId' | 'id'>,
  job: AbortSignal,
): Stopping {
  const stopped = new AbortController();
  const end = lookAgain(async () => {
    const found = await row(
      connection,
      sql`select m.id from m365_maintenance_runs m where m.provider_id = ${providerId} and m.id = ${id} and m.ended_at is null`,
    );
    if (found === null) stopped.abort(new Error('A person stopped it.'));
  });
  return {
    signal: AbortSignal.any([job, stopped.signal]),
    isStopped: () => stopped.signal.aborted,
    end,
  };
}
