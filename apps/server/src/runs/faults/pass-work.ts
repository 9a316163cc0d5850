import { FAULT_KINDS } from '@keepwatch/contract/faults/values';
import { sql } from 'drizzle-orm';
import { type Connection, execute } from '../../foundation/database.ts';
import { plainArray, uuidArray } from '../rows/column-arrays.ts';
import type { JobSpan } from '../rows/execution-rows.ts';
import { causeOf } from './causes/cause-of.ts';
import { readWorkedRuns, type WorkedRun } from './worked-runs.ts';

/**
 * Gives new runs of an open fault the state that a person gave it: a user works on it, or it is ignored until later than the run began.
 * So a fault that is worked on does not come back each time its job fails. One that was resolved does, and so does one that is ignored when
 * its job fails for another reason, or when it becomes worse: a warning that is now a failure.
 */
export async function passWorkToNewRuns(
  connection: Connection,
  providerId: number,
  spans: readonly JobSpan[],
): Promise<void> {
  const found = await readWorkedRuns(connection, providerId, spans);
  const ofJobs = [...Map.groupBy(found, ({ job }) => job.jobInstanceUid).values()];
  await passOn(connection, providerId, ofJobs.flatMap(heirsIn));
  await endIgnores(connection, providerId, found.filter(isNoLongerWhatWasIgnored));
}

/** Of the runs of a job from the last one of its fault on, those that take over its state. */
function heirsIn(runs: readonly WorkedRun[]): readonly WorkedRun[] {
  const [last] = runs;
  if (last?.fault.state === 'in-progress') return runs.filter(({ isFree }) => isFree);
  if (last === undefined || !last.isLast || isNoLongerWhatWasIgnored(last)) return [];
  const { key } = causeOf(last);
  const end = runs.findIndex((run) => isWorse(run) || causeOf(run).key !== key);
  return runs.slice(0, end < 0 ? runs.length : end).filter(({ isFree }) => isFree);
}

/** The last run of an ignored fault was reported again, as by a retry, and failed for another reason than the one that was ignored. */
function isNoLongerWhatWasIgnored(run: WorkedRun): boolean {
  const isReported = run.isLast && run.isReported && run.fault.state === 'ignored';
  return isReported && (isWorse(run) || causeOf(run).key !== run.fault.causeKey);
}

function isWorse({ kind, fault }: WorkedRun): boolean {
  return FAULT_KINDS.indexOf(kind) < FAULT_KINDS.indexOf(fault.kind);
}

async function passOn(connection: Connection, providerId: number, heirs: readonly WorkedRun[]): Promise<void> {
  if (heirs.length === 0) return;
  const faults = uuidArray(heirs.map(({ fault }) => fault.id));
  await execute(
    connection,
    sql`update job_executions e set state = f.state, ignored_until = f.ignored_until, changed_by = f.changed_by,
          changed_by_name = f.changed_by_name, changed_at = f.changed_at
        from unnest(${idsOf(heirs)}, ${startsOf(heirs)}, ${faults}) as k (id, started_at, fault)
        join faults f on f.provider_id = ${providerId} and f.id = k.fault
        where e.provider_id = ${providerId} and e.started_at = k.started_at and e.id = k.id`,
  );
}

/** As when the time has passed until which they are ignored. */
async function endIgnores(connection: Connection, providerId: number, runs: readonly WorkedRun[]): Promise<void> {
  if (runs.length === 0) return;
  await execute(
    connection,
    sql`update job_executions e set state = 'pending', ignored_until = null
        from unnest(${idsOf(runs)}, ${startsOf(runs)}) as k (id, started_at)
        where e.provider_id = ${providerId} and e.started_at = k.started_at and e.id = k.id`,
  );
}

function idsOf(runs: readonly WorkedRun[]) {
  return uuidArray(runs.map(({ id }) => id));
}

function startsOf(runs: readonly WorkedRun[]) {
  return plainArray(
    runs.map(({ startedAt }) => startedAt),
    'timestamptz',
  );
}
