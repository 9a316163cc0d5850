import { ContainerPaths } from '../browse/container-paths.ts';
import { inOrder } from '../model/in-order.ts';
import { CONTAINER_KINDS, type ItemKind, type ItemVersion } from '../model/items.ts';
import { chosenItems } from './chosen-items.ts';
import { Claims } from './claims.ts';
import { type Decision, decide, type SkipReason } from './decision.ts';
import { readRestoreItem } from './read-restore-item.ts';
import type { RestoreParts, RestoreRequest } from './restore.ts';
import { checkOptions } from './restore-options.ts';
import type { RestorePlace } from './restore-place.ts';

/** What would become of one item. */
export interface PlannedItem {
  id: string;
  kind: ItemKind;
  name: string;
  bytes: number;
  action: 'create' | 'keep-both' | 'replace' | 'skip';
  reason?: SkipReason;
}

/** What a restore would do; nothing is changed by asking. */
export interface RestorePlan {
  /** Folders, calendars, lists that would be made. */
  containers: number;
  created: number;
  copied: number;
  replaced: number;
  skipped: number;
  /** Bytes that would be written. */
  bytes: number;
  skippedBecause: Partial<Record<SkipReason, number>>;
}

/**
 * Looks for every item at the target, as a restore would, and says what it would do. It costs a question an item.
 * @throws EngineError what a restore would stop at
 */
export async function planRestore(
  parts: RestoreParts,
  request: RestoreRequest,
  onItem?: (item: PlannedItem) => void,
): Promise<RestorePlan> {
  checkOptions(request.options);
  const { catalog, signal, itemsAtOnce = 4 } = parts;
  const paths = new ContainerPaths(catalog, request.scope);
  const place = request.place(paths, signal);
  const claims = new Claims(new Set());
  const plan: RestorePlan = {
    containers: 0,
    created: 0,
    copied: 0,
    replaced: 0,
    skipped: 0,
    bytes: 0,
    skippedBecause: {},
  };
  const versions = chosenItems(catalog, request.scope, request.options);
  for await (const step of inOrder(versions, itemsAtOnce, (version) =>
    lookedFor(parts, request, place, paths, version),
  )) {
    if (step === 'container' || step === null) {
      if (step !== null) plan.containers += 1;
      continue;
    }
    const { version, found } = step;
    const decision =
      found === null
        ? ({ action: 'skip', reason: 'no-bytes' } as const)
        : decide(version, claims.claim(version, found), request.options);
    const item = planned(version, decision);
    onItem?.(item);
    count(plan, item);
  }
  return plan;
}

/** What is there of an item; of a container only whether it would have to be made. */
async function lookedFor(
  parts: RestoreParts,
  { options }: RestoreRequest,
  place: RestorePlace,
  paths: ContainerPaths,
  version: ItemVersion,
) {
  if (CONTAINER_KINDS.has(version.kind)) {
    paths.saw(version);
    return (await place.container(version, false)) === null ? 'container' : null;
  }
  if (version.details.without !== undefined) return { version, found: null };
  const parent = await place.parentOf(version, false);
  const found = parent === null ? [] : await place.find(parent, await readRestoreItem(parts, version, options));
  return { version, found };
}

function planned(version: ItemVersion, decision: Decision): PlannedItem {
  const { id, kind, name, contents } = version;
  const bytes = contents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (decision.action === 'skip') return { id, kind, name, bytes: 0, action: 'skip', reason: decision.reason };
  if (decision.action === 'replace') return { id, kind, name, bytes, action: 'replace' };
  return { id, kind, name, bytes, action: decision.as === 'copy' ? 'keep-both' : 'create' };
}

function count(plan: RestorePlan, { action, reason, bytes }: PlannedItem): void {
  plan.bytes += bytes;
  if (action === 'create') plan.created += 1;
  else if (action === 'keep-both') plan.copied += 1;
  else if (action === 'replace') plan.replaced += 1;
  else plan.skipped += 1;
  if (reason !== undefined) plan.skippedBecause[reason] = (plan.skippedBecause[reason] ?? 0) + 1;
}
