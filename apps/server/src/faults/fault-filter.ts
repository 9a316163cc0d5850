import type { FaultFilter } from '@keepwatch/contract/faults/faults';
import { FAULT_STATES, type FaultState } from '@keepwatch/contract/faults/values';
import { type SQL, sql } from 'drizzle-orm';
import { areUnassigned, jobConditions, ofNames } from '../executions/execution-filter.ts';
import { containing, every } from '../foundation/conditions.ts';
import type { Scope } from '../foundation/scope.ts';
import { IS_WORK } from '../runs/faults/faults.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import type { ReportRange } from '../runs/report-range.ts';

/** Criteria by which faults are selected. */
export interface ChosenFaults {
  filter: FaultFilter;
  range: ReportRange;
  /** The range was asked for: it limits open faults, too. */
  isRangeAsked: boolean;
}

const IN_QUEUE: readonly FaultState[] = ['pending', 'in-progress', 'healed'];
/** The place of healed faults, after all others. */
const HEALED_PLACE = 4;
export const IS_HEALED: SQL = sql`f.place = ${sql.raw(String(HEALED_PLACE))}`;
/** As a range of the queue's index: healed faults that were never resolved become more from year to year, and are not read. */
export const IS_NOT_HEALED: SQL = sql`f.place < ${sql.raw(String(HEALED_PLACE))}`;

/** The state of a fault (alias `f`) as callers see it. */
export const FAULT_STATE: SQL = sql`case when ${IS_HEALED} and ${IS_WORK} then 'healed' else f.state::text end`;

/**
 * The faults (alias `f`) within scope and filter, as conditions of which each is read from an index of its own: open ones, of which a job has
 * one at most, whenever they began; resolved and ignored ones whose last run is within the range, and those that healed within it: a job may
 * have failed for the last time long before.
 */
export function faultParts(scope: Scope, { filter, range, isRangeAsked }: ChosenFaults): SQL[] {
  const common = faultConditions(scope, filter);
  const within = isWithin(sql`f.last_started_at`, range);
  const asked = FAULT_STATES.filter((state) => (filter.state ?? IN_QUEUE).includes(state));
  const open = asked.filter((state) => state === 'pending' || state === 'in-progress');
  const done = asked.filter((state) => state === 'resolved' || state === 'ignored');
  const parts: SQL[][] = [];
  if (open.length > 0) parts.push([IS_NOT_HEALED, IS_WORK, isOneOf(open), ...(isRangeAsked ? [within] : [])]);
  const healed = filter.closedFrom !== undefined && !isRangeAsked ? [] : [isWithin(sql`f.closed_at`, range)];
  if (asked.includes('healed')) parts.push([IS_HEALED, IS_WORK, ...healed]);
  if (done.length > 0) parts.push([isOneOf(done), within]);
  return parts.map((conditions) => every([...common, ...conditions]));
}

function isWithin(at: SQL, { from, to }: ReportRange): SQL {
  return sql`${at} >= ${from}::timestamptz and ${at} <= ${to}::timestamptz`;
}

function isOneOf(states: readonly FaultState[]): SQL {
  return sql`f.state = any(${sql.param(states)}::execution_state[])`;
}

function faultConditions(scope: Scope, filter: FaultFilter): SQL[] {
  const conditions = jobConditions(scope, filter, 'f');
  if (filter.kind?.length) conditions.push(sql`f.kind = any(${sql.param(filter.kind)}::text[])`);
  if (filter.openedFrom !== undefined) conditions.push(sql`f.opened_at >= ${filter.openedFrom}::timestamptz`);
  if (filter.lastStartedUntil !== undefined)
    conditions.push(sql`f.last_started_at <= ${filter.lastStartedUntil}::timestamptz`);
  if (filter.closedFrom !== undefined) conditions.push(sql`f.closed_at >= ${filter.closedFrom}::timestamptz`);
  if (filter.cause !== undefined) conditions.push(sql`f.cause_key = ${filter.cause}`);
  if (filter.unassigned) conditions.push(areUnassigned(scope, 'f'));
  if (filter.search) {
    const pattern = containing(filter.search);
    conditions.push(sql`(${ofNames(scope, 'f', pattern)} or exists (select from ${JOB_EXECUTIONS} m where m.provider_id = f.provider_id
      and m.started_at = f.last_started_at and m.id = f.last_execution_id and m.message ilike ${pattern}))`);
  }
  return conditions;
}
