import { childrenOf } from '../../browse/children-of.ts';
import type { ContainerPaths } from '../../browse/container-paths.ts';
import type { ItemScope } from '../../browse/item-scope.ts';
import { type ExportParts, readProperties } from '../../export/export-parts.ts';
import type { ItemKind, ItemVersion } from '../../model/items.ts';
import { type JsonObject, objectOf, textOf } from '../../source/graph/json.ts';
import { placedBy } from '../../source/graph/write-planner/task-fields.ts';
import type { PlannerTarget } from '../../source/planner-target.ts';

export interface StoredPlanner {
  parts: ExportParts;
  scope: ItemScope;
}

/** Where tasks go: a plan, and the bucket of it unless they are in none. */
export interface PlacedPlan {
  planId: string;
  bucketId: string | null;
  /** Whether the plan was made just now. */
  isNew: boolean;
}

/**
 * How stored plans and buckets map to those of the target: by id, else by name. What is not there is made, a plan with the names of its labels. With
 * `into` every plan has it behind its title.
 */
export class PlannerPlans {
  private readonly target: PlannerTarget;
  private readonly paths: ContainerPaths;
  private readonly stored: StoredPlanner;
  private readonly into: string | null;
  private readonly signal: AbortSignal;
  private readonly placed = new Map<string, Promise<PlacedPlan | null>>();
  private readonly byTarget = new Map<string, PlacedPlan>();
  private readonly hints = new Map<string, Promise<unknown[]>>();

  constructor(
    target: PlannerTarget,
    paths: ContainerPaths,
    stored: StoredPlanner,
    into: string | null,
    signal: AbortSignal,
  ) {
    this.target = target;
    this.paths = paths;
    this.stored = stored;
    this.into = into;
    this.signal = signal;
  }

  /** The place of a stored plan or bucket; with `make` it is made where it is not there, else that is `null`. */
  async place(container: ItemVersion, make: boolean): Promise<PlacedPlan | null> {
    const known = await this.placed.get(container.id);
    if (known) return known;
    const key = make ? `make ${container.id}` : container.id;
    const placing = this.placed.get(key) ?? this.find(container, make);
    this.placed.set(key, placing);
    placing.catch(() => this.placed.delete(key));
    const found = await placing;
    if (found === null) return null;
    this.placed.set(container.id, placing);
    this.byTarget.set(found.bucketId ?? found.planId, found);
    return found;
  }

  /** A plan or bucket of the target that was placed before. */
  at(id: string): PlacedPlan | undefined {
    return this.byTarget.get(id);
  }

  /** The hint that puts an item where it was among those that were beside it. */
  async hintOf(kind: ItemKind, parentId: string | null, hint: unknown): Promise<string | undefined> {
    const key = `${kind} ${parentId}`;
    const known = this.hints.get(key) ?? this.hintsIn(kind, parentId);
    this.hints.set(key, known);
    return placedBy(hint, await known);
  }

  private async hintsIn(kind: ItemKind, parentId: string | null): Promise<unknown[]> {
    const { parts, scope } = this.stored;
    const found: unknown[] = [];
    for await (const one of childrenOf(parts.catalog, scope, parentId, [kind]))
      found.push((await readProperties(parts, one))['orderHint']);
    return found;
  }

  private async find(container: ItemVersion, make: boolean): Promise<PlacedPlan | null> {
    if (container.kind === 'plan') return this.findPlan(container, make);
    const plan = container.parentId === null ? null : await this.paths.container(container.parentId);
    const placed = plan === null ? null : await this.place(plan, make);
    return placed === null ? null : this.findBucket(placed, container, make);
  }

  private async findPlan(plan: ItemVersion, make: boolean): Promise<PlacedPlan | null> {
    const title = this.into === null ? plan.name : `${plan.name} (${this.into})`;
    const there = await this.target.plans(this.signal);
    const same =
      there.find(({ id }) => id === plan.id && this.into === null) ?? there.find((one) => one['title'] === title);
    if (same === undefined && !make) return null;
    const planId = idOf(same ?? (await this.target.createPlan(title, this.signal)));
    // One of that title may be what a restore that was killed had made just before.
    if (make && planId !== plan.id) await this.nameLabels(plan, planId);
    return { planId, bucketId: null, isNew: same === undefined };
  }

  private async nameLabels(plan: ItemVersion, planId: string): Promise<void> {
    const labels = objectOf(
      objectOf((await readProperties(this.stored.parts, plan))['details'])['categoryDescriptions'],
    );
    const named = Object.entries(labels).filter(([, name]) => textOf(name) !== undefined);
    if (named.length > 0) await this.target.nameLabels(planId, Object.fromEntries(named), this.signal);
  }

  private async findBucket(plan: PlacedPlan, bucket: ItemVersion, make: boolean): Promise<PlacedPlan | null> {
    const there = plan.isNew ? [] : await this.target.buckets(plan.planId, this.signal);
    const same = there.find(({ id }) => id === bucket.id) ?? there.find(({ name }) => name === bucket.name);
    if (same !== undefined) return { ...plan, bucketId: idOf(same) };
    if (!make) return null;
    const { orderHint } = await readProperties(this.stored.parts, bucket);
    const hint = await this.hintOf('plan-bucket', bucket.parentId, orderHint);
    const body = { name: bucket.name, planId: plan.planId, ...(hint === undefined ? {} : { orderHint: hint }) };
    return { ...plan, bucketId: idOf(await this.target.createBucket(body, this.signal)) };
  }
}

const idOf = (entity: JsonObject) => textOf(entity['id']) ?? '';
