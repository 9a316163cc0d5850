import type { ContainerPaths } from '../../browse/container-paths.ts';
import { EngineError } from '../../model/engine-error.ts';
import type { ItemVersion } from '../../model/items.ts';
import { type JsonObject, objectOf, textOf } from '../../source/graph/json.ts';
import {
  assigneesOf,
  detailFields,
  detailsText,
  taskFields,
  taskText,
} from '../../source/graph/write-planner/task-fields.ts';
import type { PlannerTarget } from '../../source/planner-target.ts';
import type { Written } from '../../source/target.ts';
import type { FoundInPlace, RestoreItem, RestorePlace } from '../restore-place.ts';
import { type PlacedPlan, PlannerPlans, type StoredPlanner } from './planner-plans.ts';

const AUTHORS = 'who made and completed it, and when';

/** The plans of a group as a place to restore into. Ids cannot be chosen: a plan that is gone comes back as a new one. */
export class PlannerPlace implements RestorePlace {
  private readonly target: PlannerTarget;
  private readonly paths: ContainerPaths;
  private readonly plans: PlannerPlans;
  private readonly signal: AbortSignal;
  /** Tasks of a plan of the target, without their details. */
  private readonly there = new Map<string, Promise<JsonObject[]>>();

  constructor(
    target: PlannerTarget,
    paths: ContainerPaths,
    stored: StoredPlanner,
    into: string | null,
    signal: AbortSignal,
  ) {
    this.target = target;
    this.paths = paths;
    this.plans = new PlannerPlans(target, paths, stored, into, signal);
    this.signal = signal;
  }

  async container(container: ItemVersion, make: boolean): Promise<string | null> {
    const placed = await this.plans.place(container, make);
    return placed === null ? null : (placed.bucketId ?? placed.planId);
  }

  async parentOf(item: ItemVersion, make: boolean): Promise<string | null> {
    const parent = item.parentId === null ? null : await this.paths.container(item.parentId);
    if (parent !== null) return this.container(parent, make);
    throw new EngineError('not-found', `The plan of '${item.name}' was never stored.`);
  }

  isNew(containerId: string): boolean {
    return this.plans.at(containerId)?.isNew === true;
  }

  /** Nothing is written: a plan has its labels from the start. */
  async applyContainerSettings(
    containerId: string,
    { details }: RestoreItem['properties'],
  ): Promise<readonly string[]> {
    if (this.plans.at(containerId)?.bucketId !== null) return [];
    const isShared = Object.keys(objectOf(objectOf(details)['sharedWith'])).length > 0;
    return ['who made it, and when', ...(isShared ? ['the persons outside of the group who it was shared with'] : [])];
  }

  /** Of one title there may be several. One that is stored itself matches itself alone. */
  async find(parent: string, { version }: RestoreItem): Promise<FoundInPlace[]> {
    const { planId, bucketId } = this.placed(parent);
    const tasks = await this.tasksOf(planId);
    const found = tasks.filter(({ id }) => id === version.id);
    if (found.length === 0) {
      const isSame = (task: JsonObject) =>
        task['title'] === version.name && (textOf(task['bucketId']) ?? null) === bucketId;
      for (const task of tasks.filter(isSame)) if ((await this.paths.item(idOf(task))) === null) found.push(task);
    }
    return found.map((task) => ({ id: idOf(task), modifiedAt: null }));
  }

  async isUnchanged({ id }: FoundInPlace, parent: string, item: RestoreItem): Promise<boolean> {
    const { bucketId } = this.placed(parent);
    const task = await this.target.task(id, this.signal);
    if ((textOf(task['bucketId']) ?? null) !== bucketId) return false;
    if (!(await this.saysTheSame(task, item))) return false;
    return detailsText(objectOf(task['details'])) === detailsText(objectOf(item.properties['details']));
  }

  identityOf({ version }: RestoreItem): string {
    return version.name;
  }

  async create(parent: string, item: RestoreItem): Promise<Written> {
    const { planId, bucketId } = this.placed(parent);
    const { version, properties } = item;
    const users = await this.usersOf(properties);
    const orderHint = await this.plans.hintOf('plan-task', version.parentId, properties['orderHint']);
    const body = {
      planId,
      ...(bucketId === null ? {} : { bucketId }),
      ...(orderHint === undefined ? {} : { orderHint }),
      ...taskFields(properties, users),
    };
    const made = await this.writing(planId, () => this.target.createTask(body, this.signal));
    const id = idOf(made);
    await this.describe(planId, id, properties);
    (await this.there.get(planId))?.push(made);
    return { id, losses: lossesOf(properties, users) };
  }

  async replace({ id }: FoundInPlace, parent: string, { version, properties }: RestoreItem): Promise<Written> {
    const { planId, bucketId } = this.placed(parent);
    const users = await this.usersOf(properties);
    const task = await this.target.task(id, this.signal);
    const isMoved = (textOf(task['bucketId']) ?? null) !== bucketId;
    const orderHint = isMoved
      ? await this.plans.hintOf('plan-task', version.parentId, properties['orderHint'])
      : undefined;
    const moved = isMoved ? { bucketId, ...(orderHint === undefined ? {} : { orderHint }) } : {};
    const details = detailFields(objectOf(properties['details']), objectOf(task['details']));
    this.there.delete(planId);
    await this.target.updateTask(id, { ...taskFields(properties, users, task), ...moved }, this.signal);
    if (details !== null) await this.target.updateDetails(id, details, this.signal);
    return { id, losses: lossesOf(properties, users) };
  }

  /** A task that says what is written again, with its details or without: any other of the title is a user's work. */
  async remove({ id }: FoundInPlace, parent: string, item: RestoreItem): Promise<void> {
    const task = await this.target.task(id, this.signal);
    const details = detailsText(objectOf(task['details']));
    const isOurs = [detailsText({}), detailsText(objectOf(item.properties['details']))].includes(details);
    if (!isOurs || !(await this.saysTheSame(task, item))) return;
    this.there.delete(this.placed(parent).planId);
    await this.target.deleteTask(id, this.signal);
  }

  /** Details are written to a task that is there. When that fails, nothing of it is left. */
  private async describe(planId: string, id: string, properties: JsonObject): Promise<void> {
    const details = detailFields(objectOf(properties['details']));
    if (details === null) return;
    try {
      await this.target.updateDetails(id, details, this.signal);
    } catch (error) {
      this.there.delete(planId);
      await this.target.deleteTask(id, this.signal);
      throw error;
    }
  }

  private async saysTheSame(task: JsonObject, { properties }: RestoreItem): Promise<boolean> {
    const users = await this.usersOf(properties);
    return taskText(task, new Set([...users, ...assigneesOf(task)])) === taskText(properties, users);
  }

  private async usersOf(task: JsonObject): Promise<ReadonlySet<string>> {
    const users = new Set<string>();
    for (const user of assigneesOf(task)) if (await this.target.isUser(user, this.signal)) users.add(user);
    return users;
  }

  /** What was written although its answer was lost is looked for again. */
  private async writing<T>(planId: string, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      this.there.delete(planId);
      throw error;
    }
  }

  private placed(parent: string): PlacedPlan {
    const placed = this.plans.at(parent);
    if (placed === undefined) throw new TypeError(`${parent} is no plan or bucket that was placed.`);
    return placed;
  }

  private tasksOf(planId: string): Promise<JsonObject[]> {
    const known = this.there.get(planId) ?? this.target.tasks(planId, this.signal);
    this.there.set(planId, known);
    known.catch(() => this.there.delete(planId));
    return known;
  }
}

const idOf = (entity: JsonObject) => textOf(entity['id']) ?? '';

function lossesOf(task: JsonObject, users: ReadonlySet<string>): string[] {
  const losses = [AUTHORS];
  if (assigneesOf(task).some((user) => !users.has(user)))
    losses.push('assignments to users who are not there any more');
  if (textOf(task['conversationThreadId']) !== undefined) losses.push('the link to its comments');
  return losses;
}
