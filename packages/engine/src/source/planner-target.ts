import type { JsonObject } from './graph/json.ts';

/**
 * Where the plans of a group are restored to. Like `MailboxTarget`, it has no state of a restore, and a refusal concerns one item only. Entities
 * are those of Microsoft Graph, as in the content `properties`.
 */
export interface PlannerTarget {
  plans(signal: AbortSignal): Promise<JsonObject[]>;
  createPlan(title: string, signal: AbortSignal): Promise<JsonObject>;
  /** Names the labels of a plan that have no name yet. */
  nameLabels(planId: string, names: JsonObject, signal: AbortSignal): Promise<void>;
  buckets(planId: string, signal: AbortSignal): Promise<JsonObject[]>;
  createBucket(bucket: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** Without their details. */
  tasks(planId: string, signal: AbortSignal): Promise<JsonObject[]>;
  /** A task with its `details`. */
  task(id: string, signal: AbortSignal): Promise<JsonObject>;
  createTask(task: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  updateTask(id: string, changes: JsonObject, signal: AbortSignal): Promise<void>;
  updateDetails(taskId: string, changes: JsonObject, signal: AbortSignal): Promise<void>;
  deleteTask(id: string, signal: AbortSignal): Promise<void>;
  /** Whether tasks can be assigned to the user: one who left cannot be. */
  isUser(id: string, signal: AbortSignal): Promise<boolean>;
}
