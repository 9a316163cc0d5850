import type { OPERATION_STATES, RestoreOptions } from '@keepwatch/contract/restore/explorer';
import type { Identified, OrderedObjects } from '../roles/coverage.ts';
import type { StoredScope } from '../sessions/stored-scope.ts';

export type OperationState = (typeof OPERATION_STATES)[number];

/** Some of an object, and where it goes. */
export interface RestorePart {
  scope: StoredScope;
  /** Id or address of what it goes into; `null`: where it was. */
  to: string | null;
  /** What `to` is, where a restore operator ordered it. */
  into?: Identified;
}

/** All that a user must be allowed to see for some parts: what is restored, and what it goes into. */
export function objectsOfParts(parts: readonly RestorePart[]): OrderedObjects {
  return parts.flatMap(({ scope, to, into }) => (to === null ? [scope.identity] : [scope.identity, into]));
}

/** What a restore does, in its order. */
export interface StoredRestoreOrder {
  parts: readonly RestorePart[];
  options: RestoreOptions;
}

/** Counts of a restore or a plan, over all its parts. */
export interface OperationProgress {
  done: number;
  total: number | null;
  bytes: number;
  containers: number;
  restored: number;
  replaced: number;
  copied: number;
  skipped: number;
  failed: number;
  notBegun: number;
  skippedBecause: Readonly<Record<string, number>>;
  losses: Readonly<Record<string, number>>;
}

/** The same as a row has it: with how many parts are done, so that they are not done again, and the last line that the report has of them. */
export type StoredProgress = Partial<OperationProgress> & { partsDone?: number; lastLine?: number };

export const NOTHING_DONE: OperationProgress = {
  done: 0,
  total: null,
  bytes: 0,
  containers: 0,
  restored: 0,
  replaced: 0,
  copied: 0,
  skipped: 0,
  failed: 0,
  notBegun: 0,
  skippedBecause: {},
  losses: {},
};

/** Adds the counts of one part to those of the parts before it. */
export function sumOf(one: OperationProgress, other: OperationProgress): OperationProgress {
  const total = one.total === null || other.total === null ? null : one.total + other.total;
  const sum = { ...one, total, skippedBecause: merged(one.skippedBecause, other.skippedBecause) };
  sum.losses = merged(one.losses, other.losses);
  for (const name of COUNTS) sum[name] = one[name] + other[name];
  return sum;
}

const COUNTS = [
  'done',
  'bytes',
  'containers',
  'restored',
  'replaced',
  'copied',
  'skipped',
  'failed',
  'notBegun',
] as const;

function merged(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>) {
  const sum: Record<string, number> = { ...one };
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
