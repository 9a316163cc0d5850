import {
  EngineError,
  type EngineEvent,
  planRestore,
  type RestorePlan,
  type RestoreResult,
  restore,
} from '@keepwatch/engine/engine';
import { Refusal } from '../../foundation/errors.ts';
import { type Cancelling, followCancel } from '../follow-cancel.ts';
import type { RestoreServices } from '../restore-services.ts';
import { watchReach } from '../roles/watch-reach.ts';
import { openScope } from '../sessions/open-scope.ts';
import { engineOptions } from './engine-options.ts';
import { dropMendedItems } from './operation-items.ts';
import { OperationReport } from './operation-report.ts';
import {
  beginOperation,
  findOperation,
  hasEnded,
  isCancelAsked,
  type OperationKey,
  type OperationRow,
  updateOperation,
} from './operations.ts';
import {
  NOTHING_DONE,
  type OperationProgress,
  type OperationState,
  objectsOfParts,
  type RestorePart,
} from './restore-order.ts';

/** How one part ended. */
interface PartEnd {
  outcome: 'Success' | 'Warning' | 'Failed' | 'Stopped';
  counts: OperationProgress;
  message: string | null;
}

/**
 * Does a restore to its end, or goes on with one. Ends as Failed with a message for people; throws what the queue is to repeat: the end of
 * the program, a database that is away.
 */
export async function runRestore(services: RestoreServices, key: OperationKey, job: AbortSignal): Promise<void> {
  const { database, now } = services;
  const operation = await findOperation(database, key);
  if (operation === null || hasEnded(operation)) return;
  if (!(await beginOperation(database, operation, operation.startedAt ?? now()))) return;
  const requireAllowed = watchReach(services, operation, objectsOfParts(operation.restoreOrder.parts));
  const cancelling = followCancel(() => isCancelAsked(database, key), requireAllowed, job);
  try {
    const { state, message } =
      operation.cancelAskedAt === null ? await runParts(services, operation, cancelling) : CANCELLED;
    await updateOperation(database, key, { state, message, endedAt: now() });
  } finally {
    cancelling.end();
  }
}

/** By a user, or because the user may not do it any more; else the program ends. */
const isStopped = (cancelling: Cancelling) => cancelling.isCancelled() || cancelling.refusal() !== null;

const CANCELLED = { state: 'Cancelled', message: null } as const;

async function runParts(
  services: RestoreServices,
  operation: OperationRow,
  cancelling: Cancelling,
): Promise<{ state: OperationState; message: string | null }> {
  const { partsDone = 0 } = operation.progress;
  const report = new OperationReport(services.database, operation, operation.progress);
  const ends: PartEnd[] = [];
  for (const [at, part] of operation.restoreOrder.parts.entries()) {
    if (at < partsDone) continue;
    const end = await runPart(services, operation, part, report, cancelling);
    // Broken off with the program: the next attempt goes on with this part.
    if (end.outcome === 'Stopped' && !isStopped(cancelling)) cancelling.signal.throwIfAborted();
    ends.push(end);
    await report.endPart(end.counts, at + 1);
    if (cancelling.isCancelled()) return CANCELLED;
    const refusal = cancelling.refusal();
    if (refusal !== null) return { state: 'Failed', message: refusal.message };
  }
  return {
    state: stateOf(ends, report.counts()),
    message: ends.find(({ message }) => message !== null)?.message ?? null,
  };
}

/** Nothing but failures is Failed; a part that failed beside others is a Warning. */
function stateOf(ends: readonly PartEnd[], { failed, losses, notBegun }: OperationProgress): OperationState {
  if (ends.length > 0 && ends.every(({ outcome }) => outcome === 'Failed')) return 'Failed';
  const isWhole = failed === 0 && notBegun === 0 && Object.keys(losses).length === 0;
  return isWhole && ends.every(({ outcome }) => outcome === 'Success') ? 'Success' : 'Warning';
}

async function runPart(
  services: RestoreServices,
  operation: OperationRow,
  part: RestorePart,
  report: OperationReport,
  cancelling: Cancelling,
): Promise<PartEnd> {
  const { signal } = cancelling;
  try {
    return operation.isPlan
      ? await planPart(services, operation, part, report, signal)
      : await restorePart(services, operation, part, report, signal);
  } catch (error) {
    if (isStopped(cancelling)) return { outcome: 'Stopped', counts: NOTHING_DONE, message: null };
    signal.throwIfAborted();
    if (!(error instanceof EngineError || error instanceof Refusal)) {
      services.log.error({ err: error, operation: operation.id }, 'a restore failed');
      return failed('It ended unexpectedly. Begin it again: it goes on from where it was.');
    }
    return failed(error.message);
  }
}

const failed = (message: string): PartEnd => ({ outcome: 'Failed', counts: NOTHING_DONE, message });

async function orderOf(services: RestoreServices, operation: OperationRow, part: RestorePart) {
  const { scope: stored, to } = part;
  const opened = await openScope(services, operation, stored, objectsOfParts([part]));
  const options = engineOptions(operation.restoreOrder.options);
  return { stored: opened.stored, order: { scope: opened.scope, options, ...(to === null ? {} : { to }) } };
}

async function restorePart(
  services: RestoreServices,
  operation: OperationRow,
  part: RestorePart,
  report: OperationReport,
  signal: AbortSignal,
): Promise<PartEnd> {
  const { stored, order } = await orderOf(services, operation, part);
  const [connection, journals] = await Promise.all([
    services.connectOrganization({ providerId: operation.providerId, id: operation.organizationId }, 'restore'),
    services.restoreJournals(stored),
  ]);
  const onEvent = (event: EngineEvent) => report.took(event);
  const result = await restore(stored, connection, { ...order, journals }, { signal, onEvent });
  await report.flush();
  await dropMendedItems(
    services.database,
    operation,
    report.lineBefore,
    result.failures.map(({ id }) => id),
  );
  return { outcome: result.outcome, counts: countsOfResult(result), message: result.stoppedBy };
}

async function planPart(
  services: RestoreServices,
  operation: OperationRow,
  part: RestorePart,
  report: OperationReport,
  signal: AbortSignal,
): Promise<PartEnd> {
  const { stored, order } = await orderOf(services, operation, part);
  const connection = await services.connectOrganization(
    { providerId: operation.providerId, id: operation.organizationId },
    'backup',
  );
  const onEvent = (event: EngineEvent) => report.took(event);
  const plan = await planRestore(stored, connection, order, { signal, onEvent }, (item) => report.planned(item));
  return { outcome: 'Success', counts: countsOfPlan(plan), message: null };
}

function countsOfResult(result: RestoreResult): OperationProgress {
  const { containers, restored, replaced, skipped, failed, notBegun, bytes, skippedBecause, losses } = result;
  const done = restored + replaced + skipped + failed;
  const counts = { containers, restored, replaced, skipped, failed, notBegun, bytes, skippedBecause, losses };
  return { ...counts, done, total: done + notBegun, copied: 0 };
}

function countsOfPlan({
  containers,
  created,
  copied,
  replaced,
  skipped,
  bytes,
  skippedBecause,
}: RestorePlan): OperationProgress {
  const done = created + copied + replaced + skipped;
  const counts = { containers, restored: created, copied, replaced, skipped, bytes };
  return { ...NOTHING_DONE, ...counts, skippedBecause: { ...skippedBecause }, done, total: done };
}
