import type { Item, ItemDetails, ItemKind } from '../../../model/items.ts';
import { instantOf, type JsonObject, numberOf, objectOf, objectsOf, textOf } from '../json.ts';
import { nonEmptyOrUndefined, withoutUndefined } from '../mailbox/people.ts';

function item(entity: JsonObject, kind: ItemKind, parentId: string | null, name: unknown, details: ItemDetails): Item {
  const id = textOf(entity['id']) ?? '';
  const modifiedAt = null;
  return { id, kind, parentId, name: textOf(name) ?? '', sizeBytes: 0, modifiedAt, details };
}

export function planItem(plan: JsonObject): Item {
  const createdAt = instantOf(plan['createdDateTime']);
  return item(plan, 'plan', null, plan['title'], withoutUndefined({ createdAt }));
}

export const bucketItem = (bucket: JsonObject, planId: string): Item =>
  item(bucket, 'plan-bucket', planId, bucket['name'], {});

/**
 * @param task with its `details`; https://learn.microsoft.com/graph/api/resources/plannertask
 * @param parentId its bucket; its plan for one that is in none
 */
export function taskItem(task: JsonObject, parentId: string, plan: JsonObject): Item {
  const { description, references } = objectOf(task['details']);
  const links = objectsOf(Object.values(objectOf(references)));
  const details = withoutUndefined({
    startsAt: instantOf(task['startDateTime']),
    endsAt: instantOf(task['dueDateTime']),
    createdAt: instantOf(task['createdDateTime']),
    importance: importanceOf(numberOf(task['priority'])),
    categories: nonEmptyOrUndefined(categoriesOf(task, plan)),
    attachmentNames: nonEmptyOrUndefined(links.flatMap(({ alias }) => textOf(alias) ?? [])),
  });
  const sizeBytes = Buffer.byteLength(textOf(description) ?? '');
  return { ...item(task, 'plan-task', parentId, task['title'], details), sizeBytes };
}

/** 0 and 1 are urgent, up to 4 important, up to 7 medium, up to 10 low. */
function importanceOf(priority: number | undefined): string | undefined {
  if (priority === undefined) return undefined;
  if (priority <= 4) return 'high';
  return priority <= 7 ? 'normal' : 'low';
}

/** The labels of a task by the names that its plan gives them. */
export function categoriesOf(task: JsonObject, plan: JsonObject): string[] {
  const names = objectOf(objectOf(plan['details'])['categoryDescriptions']);
  const applied = Object.entries(objectOf(task['appliedCategories'])).filter(([, isApplied]) => isApplied === true);
  return applied.map(([category]) => textOf(names[category]) ?? category);
}
