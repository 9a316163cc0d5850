import type { PlannerTarget } from '../../planner-target.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { type JsonObject, objectOf, textOf } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';

/**
 * The plans of a group over Microsoft Graph. Every change names the etag of what it changes, which is read just before.
 * https://learn.microsoft.com/graph/api/resources/planner-overview
 */
export class GraphPlanner implements PlannerTarget {
  private readonly connection: GraphConnection;
  private readonly group: string;
  private readonly users = new Map<string, Promise<boolean>>();

  constructor(connection: GraphConnection, group: string) {
    this.connection = connection;
    this.group = group;
  }

  plans(signal: AbortSignal) {
    return this.all(path`/groups/${this.group}/planner/plans`, signal);
  }

  createPlan(title: string, signal: AbortSignal) {
    const container = { containerId: this.group, type: 'group' };
    return this.connection.ask({ method: 'POST', path: '/planner/plans', body: { container, title }, signal });
  }

  async nameLabels(planId: string, names: JsonObject, signal: AbortSignal): Promise<void> {
    const entity = path`/planner/plans/${planId}/details`;
    const there = await this.connection.ask({ path: entity, signal });
    const known = objectOf(there['categoryDescriptions']);
    const missing = Object.entries(names).filter(([label]) => textOf(known[label]) === undefined);
    if (missing.length === 0) return;
    const body = { categoryDescriptions: Object.fromEntries(missing) };
    await this.connection.ask({ method: 'PATCH', path: entity, headers: headersOf(there), body, signal });
  }

  buckets(planId: string, signal: AbortSignal) {
    return this.all(path`/planner/plans/${planId}/buckets`, signal);
  }

  createBucket(body: JsonObject, signal: AbortSignal) {
    return this.connection.ask({ method: 'POST', path: '/planner/buckets', body, signal });
  }

  tasks(planId: string, signal: AbortSignal) {
    return this.all(path`/planner/plans/${planId}/tasks`, signal);
  }

  async task(id: string, signal: AbortSignal): Promise<JsonObject> {
    const task = await this.connection.ask({ path: path`/planner/tasks/${id}`, signal });
    return { ...task, details: await this.connection.ask({ path: path`/planner/tasks/${id}/details`, signal }) };
  }

  createTask(body: JsonObject, signal: AbortSignal) {
    return this.connection.ask({ method: 'POST', path: '/planner/tasks', body, signal });
  }

  updateTask(id: string, changes: JsonObject, signal: AbortSignal) {
    return this.change(path`/planner/tasks/${id}`, changes, signal);
  }

  updateDetails(taskId: string, changes: JsonObject, signal: AbortSignal) {
    return this.change(path`/planner/tasks/${taskId}/details`, changes, signal);
  }

  /** A task that is not there is no error. */
  async deleteTask(id: string, signal: AbortSignal): Promise<void> {
    const task = path`/planner/tasks/${id}`;
    try {
      const headers = headersOf(await this.connection.ask({ path: task, signal }));
      await this.connection.ask({ method: 'DELETE', path: task, headers, signal });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  isUser(id: string, signal: AbortSignal): Promise<boolean> {
    const known = this.users.get(id) ?? this.askUser(id, signal);
    this.users.set(id, known);
    return known;
  }

  private async askUser(id: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.connection.ask({ path: `${path`/users/${id}`}?$select=id`, signal });
      return true;
    } catch (error) {
      if (isGone(error)) return false;
      // Who may not look users up assigns all the same, and hears then what is wrong.
      if (error instanceof GraphError && error.status === 403) return true;
      this.users.delete(id);
      throw error;
    }
  }

  private async change(entity: string, body: JsonObject, signal: AbortSignal): Promise<void> {
    const headers = headersOf(await this.connection.ask({ path: entity, signal }));
    await this.connection.ask({ method: 'PATCH', path: entity, headers, body, signal });
  }

  private async all(from: string, signal: AbortSignal): Promise<JsonObject[]> {
    const found: JsonObject[] = [];
    for await (const { value } of this.connection.pages({ path: from, signal })) found.push(...value);
    return found;
  }
}

/** Of a change of an entity as it was read. */
function headersOf(entity: JsonObject): Record<string, string> {
  const etag = textOf(entity['@odata.etag']);
  return { prefer: 'return=representation', ...(etag === undefined ? {} : { 'if-match': etag }) };
}

const isGone = (error: unknown) => error instanceof GraphError && error.status === 404;
