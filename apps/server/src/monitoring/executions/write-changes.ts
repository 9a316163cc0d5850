import type { SQL } from 'drizzle-orm';
import type pg from 'pg';
import { execute } from '../../foundation/database.ts';
import { publish } from '../../foundation/events.ts';
import { DayRollups, type DayShare } from './day-rollups.ts';
import type { Execution } from './execution-rows.ts';
import { type JobMemory, memoriesQuery } from './job-memory.ts';
import { lastTry } from './retries.ts';
import { changesOf, type JobChanges, type JobNews } from './run-changes.ts';
import { copyLines, insertExecutions, removeExecutions, updateExecutions, writeLogs } from './write-executions.ts';

/** Jobs whose runs are judged and put into words at a time. */
const SLICE_JOBS = 250;

/** What is written beside the rows of executions. */
interface Consequences {
  rollups: DayRollups;
  memories: JobMemory[];
  logged: Execution[];
  added: number;
  changed: number;
}

/**
 * Writes what a batch changes: `around`, of jobs whose told tries lie among known ones, and `appended`, what is told of jobs after
 * all that is known of them. The runs of the latter are judged here, a slice of jobs at a time: the database writes the rows of
 * one slice while this process works on the next. Gives how many executions were added and changed.
 */
export async function writeChanges(
  connection: pg.PoolClient,
  providerId: number,
  around: readonly JobChanges[],
  appended: readonly JobNews[],
): Promise<Pick<Consequences, 'added' | 'changed'>> {
  const known = around.filter(({ added, changed, removed }) => added.length + changed.length + removed.length > 0);
  const consequences: Consequences = { rollups: new DayRollups(), memories: [], logged: [], added: 0, changed: 0 };
  if (known.length + appended.length === 0) return { added: 0, changed: 0 };
  const removed = known.flatMap((one) => one.removed);
  const changed = known.flatMap((one) => one.changed);
  await removeExecutions(connection, providerId, removed);
  await updateExecutions(connection, providerId, changed);
  let statements: SQL[] = [];
  const pieces = function* () {
    yield linesOf(providerId, known, consequences);
    for (let at = 0; at < appended.length; at += SLICE_JOBS)
      yield linesOf(providerId, appended.slice(at, at + SLICE_JOBS).map(changesOf), consequences);
    // The database still writes the last rows while these are put into words.
    const { rollups, memories } = consequences;
    statements = [...rollups.queries(providerId), memoriesQuery(providerId, memories)];
  };
  await insertExecutions(connection, pieces());
  for (const statement of statements) await execute(connection, statement);
  await writeLogs(connection, providerId, consequences.logged);
  await consequences.rollups.measureDurations(connection, providerId);
  await publish(connection, { name: 'executions.changed', providerId });
  return { added: consequences.added, changed: consequences.changed };
}

/** The new rows of these changes for COPY; what else follows from the changes is noted in `consequences`. */
function linesOf(providerId: number, all: readonly JobChanges[], consequences: Consequences): string {
  const { rollups, memories, logged } = consequences;
  for (const { added, changed, removed, memory } of all) {
    memories.push(memory);
    for (const execution of removed) rollups.take(shareOf(execution));
    for (const { before, after } of changed) {
      rollups.take(shareOf(before));
      rollups.add(shareOf(after));
      logged.push(after);
    }
    for (const execution of added) {
      rollups.add(shareOf(execution));
      logged.push(execution);
    }
    consequences.added += added.length;
    consequences.changed += changed.length;
  }
  return copyLines(
    providerId,
    all.flatMap((one) => one.added),
  );
}

function shareOf({ jobInstanceUid, companyId, sourceGroup, tries, anomalies }: Execution): DayShare {
  const { result, transferredBytes, durationMs } = lastTry(tries);
  return {
    startedAtMs: tries[0].startedAtMs,
    jobInstanceUid,
    companyId,
    sourceGroup,
    result,
    isAnomalous: anomalies.length > 0,
    transferredBytes,
    durationMs,
  };
}
