import { ContainerPaths } from '../browse/container-paths.ts';
import { inOrder } from '../model/in-order.ts';
import { CONTAINER_KINDS, type ItemKind, type ItemVersion } from '../model/items.ts';
import { chosenItems } from './chosen-items.ts';
import { Claims } from './claims.ts';
import { type Decision, decide, decideByLooking } from './decision.ts';
import { namesakesIn } from './namesakes.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { readRestoreItem } from './read-restore-item.ts';
import type { RestoreParts, RestoreRequest } from './restore.ts';
import type { RestoreWork } from './restore-one.ts';
import { checkOptions } from './restore-options.ts';
import type { SkipReason } from './skip-reasons.ts';

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
 * Looks for every item at the target, as a restore would, and says what it would do. It costs a question an item, and a look at each that is there
 * and would be written.
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
  const work = {
    place,
    options: request.options,
    claims: new Claims(new Set()),
    namesakes: namesakesIn(parts, { place, paths, options: request.options }),
    turns: new OneAtATime(),
    signal,
  };
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
  for await (const step of inOrder(versions, itemsAtOnce, (version) => decided(parts, work, paths, version))) {
    if (step === 'container') plan.containers += 1;
    if (step === 'container' || step === null) continue;
    const item = planned(step.version, step.decision);
    onItem?.(item);
    count(plan, item);
  }
  return plan;
}

type PlanWork = Omit<RestoreWork, 'journal'>;

/** What would become of an item; of a container only whether it would have to be made. */
async function decided(
  parts: RestoreParts,
  work: PlanWork,
  paths: ContainerPaths,
  version: ItemVersion,
): Promise<{ version: ItemVersion; decision: Decision } | 'container' | null> {
  const { place } = work;
  if (CONTAINER_KINDS.has(version.kind)) {
    paths.saw(version);
    return (await place.container(version, false)) === null ? 'container' : null;
  }
  if (version.details.without !== undefined) return { version, decision: { action: 'skip', reason: 'no-bytes' } };
  const leftOut = place.leavesOut?.(version) ?? null;
  if (leftOut !== null) return { version, decision: { action: 'skip', reason: leftOut } };
  const parent = await place.parentOf(version, false);
  if (parent === null) return { version, decision: decide(version, null, work.options) };
  const item = await readRestoreItem(parts, version, work.options);
  return work.turns.run(`${parent} ${place.identityOf(item)}`, async () => {
    const { decision } = await decideByLooking(work, item, parent, await place.find(parent, item));
    return { version, decision };
  });
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
