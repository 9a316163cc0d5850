import type { Directory } from '../directory/directory.ts';
import { GraphError } from '../wire/graph-error.ts';
import { isObject, type JsonObject, objectOf, textOf } from '../wire/json.ts';
import { badRequest } from '../wire/refusals.ts';
import { calculatedHint } from './order-hint.ts';

/** What a client writes of a task; https://learn.microsoft.com/graph/api/plannertask-update */
const WRITABLE = [
  'title',
  'orderHint',
  'assigneePriority',
  'percentComplete',
  'priority',
  'startDateTime',
  'dueDateTime',
  'appliedCategories',
  'assignments',
  'conversationThreadId',
];
const HINTS = ['orderHint', 'assigneePriority'];
const STEPS_MAX = 20;
const REFERENCES_MAX = 10;

/** The properties of a task with what a client sent. @throws GraphError 400 for what is not well-formed, or makes no sense */
export function changedTask(known: JsonObject, sent: JsonObject, directory: Directory): JsonObject {
  const given = Object.entries(sent).filter(([name]) => WRITABLE.includes(name));
  const values = given.map(([name, value]) => [name, HINTS.includes(name) ? calculatedHint(value) : value]);
  const task: JsonObject = { ...known, ...Object.fromEntries(values) };
  const [start, due] = [textOf(task['startDateTime']), textOf(task['dueDateTime'])];
  if (start !== undefined && due !== undefined && start > due) throw badRequest('The start is after the due date.', '');
  if (!textOf(task['title'])) throw badRequest('A task needs a title.', '');
  const assignments = merged(known['assignments'], sent['assignments'], assignmentOf);
  for (const user of Object.keys(assignments))
    if (directory.findUser(user) === undefined) throw badRequest(`There is no user ${user} to assign it to.`, '');
  return {
    ...task,
    assignments,
    appliedCategories: categories({ ...objectOf(known['appliedCategories']), ...objectOf(sent['appliedCategories']) }),
  };
}

/** The same of a task's details. @throws GraphError 403 for too many steps or references */
export function changedDetails(known: JsonObject, sent: JsonObject): JsonObject {
  const checklist = merged(known['checklist'], sent['checklist'], stepOf);
  const references = merged(known['references'], sent['references'], referenceOf);
  if (Object.keys(checklist).length > STEPS_MAX) throw tooMany('MaximumChecklistItemsOnTask');
  if (Object.keys(references).length > REFERENCES_MAX) throw tooMany('MaximumReferencesOnTask');
  const { description = known['description'] ?? '', previewType = known['previewType'] ?? 'automatic' } = sent;
  return { description, previewType, checklist, references };
}

export const tooMany = (limit: string) => new GraphError(403, limit, 'A limit of the service is exceeded.');

/** Members of an open type: new ones are added, `null` takes one away, and others stay. */
function merged(
  known: unknown,
  sent: unknown,
  read: (name: string, value: JsonObject, before: JsonObject) => JsonObject,
): JsonObject {
  const members = new Map(Object.entries(objectOf(known)));
  for (const [name, value] of Object.entries(objectOf(sent))) {
    if (name.startsWith('@')) continue;
    if (value === null) members.delete(name);
    else if (isObject(value)) members.set(name, read(name, value, objectOf(members.get(name))));
    else throw badRequest(`The value of ${name} is no object.`, '');
  }
  return Object.fromEntries(members);
}

function requireType(value: JsonObject, type: string): void {
  if (String(value['@odata.type']).replace(/^#/, '') !== `microsoft.graph.${type}`)
    throw badRequest(`Its @odata.type must be microsoft.graph.${type}.`, '');
}

const now = () => new Date().toISOString();

function assignmentOf(_user: string, value: JsonObject, before: JsonObject): JsonObject {
  requireType(value, 'plannerAssignment');
  if (value['orderHint'] === undefined) throw badRequest('An assignment needs an orderHint.', '');
  const { '@odata.type': type } = value;
  return { '@odata.type': type, assignedDateTime: now(), ...before, orderHint: calculatedHint(value['orderHint']) };
}

function stepOf(_id: string, value: JsonObject, before: JsonObject): JsonObject {
  requireType(value, 'plannerChecklistItem');
  const { title = before['title'], isChecked = before['isChecked'] ?? false } = value;
  const orderHint =
    value['orderHint'] === undefined ? (before['orderHint'] ?? 'P') : calculatedHint(value['orderHint']);
  return {
    '@odata.type': '#microsoft.graph.plannerChecklistItem',
    isChecked,
    title,
    orderHint,
    lastModifiedDateTime: now(),
  };
}

/** Names of an open type have none of these signs; https://learn.microsoft.com/graph/api/resources/plannerexternalreferences */
function referenceOf(url: string, value: JsonObject, before: JsonObject): JsonObject {
  requireType(value, 'plannerExternalReference');
  if (/[.:@#]|%(?![0-9A-F]{2})/i.test(url) || !/^https?:/.test(decodeURIComponent(url)))
    throw badRequest(`The reference ${url} is no encoded address.`, '');
  const { alias = before['alias'], type = before['type'] ?? 'Other' } = value;
  const hint = value['previewPriority'];
  const previewPriority = hint === undefined ? (before['previewPriority'] ?? 'N') : calculatedHint(hint);
  return {
    '@odata.type': '#microsoft.graph.plannerExternalReference',
    alias,
    type,
    previewPriority,
    lastModifiedDateTime: now(),
  };
}

function categories(given: JsonObject): JsonObject {
  const known = Object.entries(given).filter(
    ([name, value]) => /^category([1-9]|1\d|2[0-5])$/.test(name) && value === true,
  );
  return Object.fromEntries(known);
}
