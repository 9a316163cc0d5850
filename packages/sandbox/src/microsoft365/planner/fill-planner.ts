import { mix, pick, textHash, uid, whole } from '../../world/random.ts';
import type { Directory } from '../directory/directory.ts';
import { sentences, subjects } from '../mail/phrases.ts';
import type { Tenant } from '../tenant.ts';
import type { TenantFacts } from '../tenant-facts.ts';
import type { JsonObject } from '../wire/json.ts';
import { between } from './order-hint.ts';
import { type Plan, type PlanBucket, Planner, type PlanTask } from './plan.ts';

const dayMs = 86_400_000;
const instant = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Ids of Planner are 28 characters long; https://learn.microsoft.com/graph/api/resources/planner-identifiers-disclaimer */
export const plannerId = (...story: number[]) =>
  Buffer.from(uid(...story))
    .toString('base64url')
    .slice(0, 28);

/** Plans of some groups, with buckets, and tasks of which a few are in none. */
export function buildPlanner(facts: TenantFacts, directory: Directory): Planner {
  const groups = () => directory.groups.filter(({ kind }) => kind === 'microsoft365').map(({ id }) => id);
  const fill = (groupId: string) => {
    const story = mix(facts.seed, textHash(groupId), 1301);
    const isFirst = groups()[0] === groupId;
    const count = whole(isFirst ? 1 : 0, 2, story, 1);
    return Array.from({ length: count }, (_, at) => planOf(facts, directory, groupId, mix(story, at, 2), at));
  };
  return new Planner(fill, groups);
}

const TITLES = ['Launch', 'Relocation', '年度計画'] as const;
const BUCKETS = ['To do', 'In progress', 'Done & dusted'] as const;

function planOf({ madeMs }: TenantFacts, directory: Directory, groupId: string, story: number, at: number): Plan {
  const id = plannerId(story, 1);
  const createdMs = madeMs - whole(30, 300, story, 3) * dayMs;
  let hint = '';
  const nextHint = () => {
    hint = between(hint, '');
    return hint;
  };
  const buckets = BUCKETS.map((name, number): PlanBucket => {
    return { id: plannerId(story, number, 4), change: 1, name, orderHint: nextHint() };
  });
  const members = directory.findGroup(groupId)?.memberIds.filter((one) => directory.findUser(one)) ?? [];
  const tasks = Array.from({ length: whole(4, 50, story, 5) }, (_, number) => {
    const bucket = number % 7 === 6 ? undefined : buckets[mix(story, number, 6) % buckets.length];
    return taskOf(mix(story, number, 7), bucket?.id ?? null, members, createdMs, nextHint());
  });
  const categoryDescriptions = { category1: 'Indoors', category2: null, category5: 'Needs materials' };
  return {
    id,
    change: 1,
    groupId,
    title: TITLES[at % TITLES.length] ?? 'Plan',
    createdMs,
    details: { id, change: 1, properties: { sharedWith: {}, categoryDescriptions } },
    buckets: new Map(buckets.map((one) => [one.id, one])),
    tasks: new Map(tasks.map((one) => [one.id, one])),
  };
}

function taskOf(
  story: number,
  bucketId: string | null,
  members: readonly string[],
  sinceMs: number,
  orderHint: string,
): PlanTask {
  const id = plannerId(story, 1);
  const createdMs = sinceMs + whole(0, 20, story, 2) * dayMs;
  const isDone = mix(story, 3) % 3 === 0;
  const assignee = members[mix(story, 4) % Math.max(1, members.length)];
  const assigned = {
    '@odata.type': '#microsoft.graph.plannerAssignment',
    assignedDateTime: instant(createdMs),
    orderHint: 'M',
  };
  return {
    id,
    change: 1,
    bucketId,
    createdMs,
    completedMs: isDone ? createdMs + 5 * dayMs : null,
    properties: {
      title: pick(subjects, story, 5) || 'Untitled',
      orderHint,
      assigneePriority: orderHint,
      percentComplete: isDone ? 100 : pick([0, 50], story, 6),
      priority: pick([1, 3, 5, 9], story, 7),
      startDateTime: mix(story, 8) % 2 === 0 ? instant(createdMs) : null,
      dueDateTime: instant(createdMs + 30 * dayMs),
      appliedCategories: mix(story, 9) % 2 === 0 ? { category1: true } : {},
      assignments: assignee === undefined || mix(story, 10) % 3 === 0 ? {} : { [assignee]: assigned },
      conversationThreadId: null,
    },
    details: { id, change: 1, properties: detailsOf(story, createdMs) },
  };
}

function detailsOf(story: number, atMs: number): JsonObject {
  const lastModifiedDateTime = instant(atMs);
  const step = (title: string, orderHint: string, isChecked: boolean) => {
    return {
      '@odata.type': '#microsoft.graph.plannerChecklistItem',
      isChecked,
      title,
      orderHint,
      lastModifiedDateTime,
    };
  };
  const steps = whole(0, 3, story, 11);
  const checklist = Object.fromEntries(
    Array.from({ length: steps }, (_, at) => [
      uid(story, at, 12),
      // Their ids say nothing of their order.
      step(`Step ${at + 1}`, String.fromCharCode(80 + at), at === 0),
    ]),
  );
  const reference = {
    '@odata.type': '#microsoft.graph.plannerExternalReference',
    alias: 'Offer',
    type: 'Word',
    previewPriority: 'N',
    lastModifiedDateTime,
  };
  const references =
    mix(story, 13) % 4 === 0 ? { [`https%3A//contoso%2Eexample/offer-${story}%2Edocx`]: reference } : {};
  const description = mix(story, 14) % 3 === 0 ? '' : pick(sentences, story, 15);
  return { description, previewType: 'automatic', checklist, references };
}

/** Changes the plans of one group: a task is made, finished, described again, moved to another bucket, or deleted. */
export function evolvePlanner(tenant: Tenant, step: number): void {
  const plans = tenant.planner.all();
  const story = mix(tenant.seed, step, 1311);
  const plan = plans[story % Math.max(1, plans.length)];
  if (plan === undefined) return;
  const tasks = [...plan.tasks.values()];
  const task = tasks[mix(story, 1) % Math.max(1, tasks.length)];
  const buckets = [...plan.buckets.keys()];
  if (step % 5 === 0 || task === undefined) {
    const made = taskOf(mix(story, 2), buckets[0] ?? null, [], tenant.nowMs(), between('', ''));
    plan.tasks.set(made.id, made);
  } else if (step % 5 === 4) plan.tasks.delete(task.id);
  else if (step % 5 === 3) {
    // The etag of the task does not change with its description.
    task.details.properties = { ...task.details.properties, description: `Step ${step}` };
    task.details.change += 1;
  } else {
    task.bucketId = buckets[mix(story, 3) % Math.max(1, buckets.length)] ?? null;
    task.properties = { ...task.properties, percentComplete: 100 };
    task.completedMs = tenant.nowMs();
    task.change += 1;
  }
}
