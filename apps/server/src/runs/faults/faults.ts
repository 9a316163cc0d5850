import { FAULT_KINDS, type FaultKind } from '@keepwatch/contract/faults/values';
import type { Result } from '@keepwatch/contract/runs/values';
import { type SQL, sql } from 'drizzle-orm';
import { faults } from '../tables.ts';

/**
 * The faults. They follow from the runs alone: what writes runs calls `refreshFaults`, what changes what people
 * make of them `refreshFaultStates`, both in the same transaction and holding the executions lock.
 */
export const FAULTS = faults;

/**
 * The fault (alias `f`) waits for a person or is worked on, and its job is not removed: the condition of the index of the queue. What was
 * open when its job was removed comes back with the job.
 */
export const IS_WORK: SQL = sql`(f.state in ('pending', 'in-progress') and not f.is_job_removed)`;

/** The same of a fault that is open. */
export const IS_OPEN_WORK: SQL = sql`(f.closed_at is null and ${IS_WORK})`;

/** A run (by its alias) is fine: it ends the fault of its job. One that runs is neither. */
export function isFine(alias: string): SQL {
  const run = sql.identifier(alias);
  return sql`(${run}.result = 'Success' and cardinality(${run}.anomalies) = 0)`;
}

/** A run (by its alias) is part of a fault. */
export function isNotFine(alias: string): SQL {
  return sql`(${sql.identifier(alias)}.result <> 'Running' and not ${isFine(alias)})`;
}

const KINDS: readonly (readonly [result: Result, kind: FaultKind])[] = [
  ['Failed', 'failed'],
  ['DidntRun', 'missed'],
  ['Warning', 'warning'],
];

/** The kind of a run of this result that is not fine. */
export function kindOfResult(result: Result): FaultKind {
  return KINDS.find(([known]) => known === result)?.[1] ?? 'doubtful';
}

/** The kind of a run (by its alias) that is not fine. */
export function kindOf(alias: string): SQL {
  const cases = KINDS.map(([result, kind]) => sql.raw(`when '${result}' then '${kind}'`));
  return sql`(case ${sql.identifier(alias)}.result ${sql.join(cases, sql` `)} else 'doubtful' end)`;
}

/** How bad a kind is: the lower, the worse. */
export function placeOf(kind: SQL): SQL {
  return sql`array_position(${sql.param([...FAULT_KINDS])}::text[], ${kind})`;
}
