import { instantOf, type JsonObject, numberOf, objectOf, textOf } from '../json.ts';

const NOTHING: JsonObject = {};

/**
 * Where an item comes that had a hint: behind that hint, and before the next one that was there. So those that are written side by side come in
 * their order, and among those that are there still in their place.
 * https://learn.microsoft.com/graph/api/resources/planner-order-hint-format
 */
export function placedBy(hint: unknown, all: readonly unknown[]): string | undefined {
  const own = textOf(hint);
  if (own === undefined) return undefined;
  const later = all.flatMap((one) => textOf(one) ?? []).filter((one) => one > own);
  return `${own} ${later.reduce((least, one) => (least === '' || one < least ? one : least), '')}!`;
}

/** Members of an open type that are objects. */
const membersOf = (value: unknown): [string, JsonObject][] =>
  Object.entries(objectOf(value)).flatMap(([name, one]) =>
    name.startsWith('@') || one === null ? [] : [[name, objectOf(one)]],
  );

const appliedOf = ({ appliedCategories }: JsonObject): string[] =>
  Object.entries(objectOf(appliedCategories)).flatMap(([name, isApplied]) => (isApplied === true ? [name] : []));

export const assigneesOf = ({ assignments }: JsonObject): string[] => membersOf(assignments).map(([user]) => user);

/**
 * What is written of a task itself.
 * @param users those of its assignees to whom it can be assigned
 * @param there what is there of it: what it has beyond what was stored is removed
 */
export function taskFields(task: JsonObject, users: ReadonlySet<string>, there: JsonObject = NOTHING): JsonObject {
  const assigned = membersOf(task['assignments']).filter(([user]) => users.has(user));
  const hints = assigned.map(([, { orderHint }]) => orderHint);
  const type = '#microsoft.graph.plannerAssignment';
  const known = new Set(assigneesOf(there));
  const assignments = assigned
    .filter(([user]) => !known.has(user))
    .map(([user, { orderHint }]) => [user, { '@odata.type': type, orderHint: placedBy(orderHint, hints) ?? ' !' }]);
  const unassigned = [...known].filter((user) => !users.has(user)).map((user) => [user, null]);
  const applied = appliedOf(task);
  const labels = [
    ...applied.map((name) => [name, true]),
    ...appliedOf(there).flatMap((name) => (applied.includes(name) ? [] : [[name, false]])),
  ];
  return {
    title: task['title'],
    startDateTime: task['startDateTime'] ?? null,
    dueDateTime: task['dueDateTime'] ?? null,
    percentComplete: numberOf(task['percentComplete']) ?? 0,
    ...(numberOf(task['priority']) === undefined ? {} : { priority: task['priority'] }),
    assignments: Object.fromEntries([...assignments, ...unassigned]),
    appliedCategories: Object.fromEntries(labels),
  };
}

/** What is written of a task's details; `null` for a task that has none. */
export function detailFields(details: JsonObject, there: JsonObject = NOTHING): JsonObject | null {
  const { description, previewType } = details;
  const checklist = steps(details['checklist'], there['checklist']);
  const references = links(details['references'], there['references']);
  const isEmpty = Object.keys({ ...checklist, ...references }).length === 0 && textOf(description) === undefined;
  if (isEmpty && there === NOTHING) return null;
  return { description: description ?? '', previewType: previewType ?? 'automatic', checklist, references };
}

function steps(stored: unknown, there: unknown): JsonObject {
  const all = membersOf(stored);
  const hints = all.map(([, { orderHint }]) => orderHint);
  const written = all.map(([id, { title, isChecked, orderHint }]) => {
    const hint = placedBy(orderHint, hints);
    const step = { '@odata.type': '#microsoft.graph.plannerChecklistItem', title, isChecked };
    return [id, hint === undefined ? step : { ...step, orderHint: hint }];
  });
  return { ...withoutThose(there, stored), ...Object.fromEntries(written) };
}

function links(stored: unknown, there: unknown): JsonObject {
  const all = membersOf(stored);
  const hints = all.map(([, { previewPriority }]) => previewPriority);
  const written = all.map(([url, { alias, type, previewPriority }]) => {
    const hint = placedBy(previewPriority, hints);
    const link = { '@odata.type': '#microsoft.graph.plannerExternalReference', alias, type };
    return [url, hint === undefined ? link : { ...link, previewPriority: hint }];
  });
  return { ...withoutThose(there, stored), ...Object.fromEntries(written) };
}

/** Takes away the members that are there and were not stored. */
function withoutThose(there: unknown, stored: unknown): JsonObject {
  const retained = objectOf(stored);
  const gone = membersOf(there).filter(([name]) => retained[name] === undefined);
  return Object.fromEntries(gone.map(([name]) => [name, null]));
}

/** All that can be written of a task as a text: equal texts are equal tasks. */
export function taskText(task: JsonObject, users: ReadonlySet<string>): string {
  const { title, percentComplete, priority } = task;
  const dates = [instantOf(task['startDateTime']), instantOf(task['dueDateTime'])];
  const assigned = assigneesOf(task).filter((user) => users.has(user));
  return JSON.stringify([title, percentComplete ?? 0, priority, dates, assigned.sort(), appliedOf(task).sort()]);
}

/** The same of its details. */
export function detailsText(details: JsonObject): string {
  const byHint = ([, one]: [string, JsonObject], [, other]: [string, JsonObject]) =>
    String(one['orderHint']) < String(other['orderHint']) ? -1 : 1;
  const checklist = membersOf(details['checklist']).sort(byHint);
  const references = membersOf(details['references']).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([
    details['description'] ?? '',
    details['previewType'] ?? 'automatic',
    checklist.map(([, { title, isChecked }]) => [title, isChecked]),
    references.map(([url, { alias, type }]) => [url, alias, type]),
  ]);
}
