import { type JsonObject, objectOf, objectsOf } from '../wire/json.ts';
import type { Plan, PlanBucket, PlanTask, Versioned } from './plan.ts';

const instant = (ms: number) => new Date(ms).toISOString();

/** Etags of Planner are weak, and say what they are of; https://learn.microsoft.com/graph/api/resources/planner-overview */
export function etagOf(type: string, { id, change }: Versioned): string {
  const text = `1-${type} ${id.slice(0, 6)} ${String(change).padStart(12, '@')}`;
  return `W/"${Buffer.from(text).toString('base64')}"`;
}

export function planEntity({ id, change, groupId, title, createdMs }: Plan): JsonObject {
  const url = `https://graph.microsoft.com/v1.0/groups/${groupId}`;
  return {
    '@odata.etag': etagOf('Plan', { id, change }),
    id,
    title,
    owner: groupId,
    createdDateTime: instant(createdMs),
    container: { containerId: groupId, type: 'group', url },
  };
}

export const planDetailsEntity = ({ details }: Plan): JsonObject => ({
  '@odata.etag': etagOf('PlanDetails', details),
  id: details.id,
  ...details.properties,
});

export function bucketEntity(plan: Plan, { id, change, name, orderHint }: PlanBucket): JsonObject {
  return { '@odata.etag': etagOf('Bucket', { id, change }), id, name, planId: plan.id, orderHint };
}

export function taskEntity(plan: Plan, task: PlanTask): JsonObject {
  const { checklist, references, description, previewType } = task.details.properties;
  const steps = objectsOf(Object.values(objectOf(checklist)));
  return {
    '@odata.etag': etagOf('Task', task),
    id: task.id,
    planId: plan.id,
    bucketId: task.bucketId,
    ...task.properties,
    createdDateTime: instant(task.createdMs),
    completedDateTime: task.completedMs === null ? null : instant(task.completedMs),
    hasDescription: typeof description === 'string' && description !== '',
    previewType: previewType ?? 'automatic',
    checklistItemCount: steps.length,
    activeChecklistItemCount: steps.filter(({ isChecked }) => isChecked !== true).length,
    referenceCount: Object.keys(objectOf(references)).length,
  };
}

export const taskDetailsEntity = ({ details }: PlanTask): JsonObject => ({
  '@odata.etag': etagOf('TaskDetails', details),
  id: details.id,
  ...details.properties,
});
