import type { JsonObject } from '../wire/json.ts';

/** What has an etag of its own. */
export interface Versioned {
  id: string;
  change: number;
}

export interface PlanBucket extends Versioned {
  name: string;
  orderHint: string;
}

export interface PlanTask extends Versioned {
  bucketId: string | null;
  createdMs: number;
  completedMs: number | null;
  /** What clients write: title, dates, assignments, … */
  properties: JsonObject;
  /** The description, checklist and references; with an etag that is not that of the task. */
  details: Versioned & { properties: JsonObject };
}

/** A plan of a Microsoft 365 group. */
export interface Plan extends Versioned {
  groupId: string;
  title: string;
  createdMs: number;
  details: Versioned & { properties: JsonObject };
  buckets: Map<string, PlanBucket>;
  tasks: Map<string, PlanTask>;
}

/** The plans of the groups of a tenant; those of a group are made when it is first looked at. */
export class Planner {
  private readonly byGroup = new Map<string, Plan[]>();
  private readonly fill: (groupId: string) => Plan[];
  private readonly groupIds: () => readonly string[];

  /** @param groupIds of the groups that are there now: with a group its plans go */
  constructor(fill: (groupId: string) => Plan[], groupIds: () => readonly string[]) {
    this.fill = fill;
    this.groupIds = groupIds;
  }

  of(groupId: string): Plan[] {
    const known = this.byGroup.get(groupId) ?? this.fill(groupId);
    this.byGroup.set(groupId, known);
    return known;
  }

  all(): Plan[] {
    return this.groupIds().flatMap((id) => this.of(id));
  }

  remove(plan: Plan): void {
    this.byGroup.set(
      plan.groupId,
      this.of(plan.groupId).filter((one) => one !== plan),
    );
  }
}

/** Sorts by the ordinal values of characters, as the service does. */
export const byHint = (one: { orderHint: string }, other: { orderHint: string }) =>
  one.orderHint < other.orderHint ? -1 : 1;
