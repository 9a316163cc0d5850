import type { PlainItems } from '../mailbox/plain-items.ts';
import { collectionReply } from '../wire/collection.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { type JsonObject, objectOf, objectsOf } from '../wire/json.ts';
import { itemNotFound } from '../wire/refusals.ts';
import { entityReply } from '../wire/representation.ts';

/** The two lists of a task: its steps, and links to its origin. */
const parts = [
  { name: 'checklistItems', properties: ['displayName', 'isChecked', 'checkedDateTime', 'createdDateTime'] },
  { name: 'linkedResources', properties: ['applicationName', 'displayName', 'externalId', 'webUrl'] },
] as const;

type Part = (typeof parts)[number];

/** Reading and writing of the parts of a task, below its path. */
export function taskPartRoutes(
  tasks: PlainItems,
  base: string,
  how: { readable: Omit<GraphRoute, 'path' | 'handle'>; writable: Omit<GraphRoute, 'path' | 'handle' | 'method'> },
): GraphRoute[] {
  const { readable, writable } = how;
  return parts.flatMap((part): GraphRoute[] => {
    const path = `${base}/${part.name}`;
    const options = { context: part.name };
    const list = (call: GraphCall) => objectsOf(tasks.itemOf(call).content.properties[part.name]);
    return [
      { ...readable, path, handle: (call) => collectionReply(call, list(call), options) },
      { ...readable, path: `${path}/{part}`, handle: (call) => entityReply(call, find(call, list(call)), options) },
      { ...writable, method: 'POST', path, handle: (call) => create(tasks, part, call) },
      { ...writable, method: 'PATCH', path: `${path}/{part}`, handle: (call) => change(tasks, part, call) },
      { ...writable, method: 'DELETE', path: `${path}/{part}`, handle: (call) => remove(tasks, part, call) },
    ];
  });
}

function find(call: GraphCall, list: readonly JsonObject[]): JsonObject {
  const found = list.find(({ id }) => id === call.params['part']);
  if (!found) throw itemNotFound();
  return found;
}

function read(part: Part, body: unknown): JsonObject {
  const known: readonly string[] = part.properties;
  return Object.fromEntries(Object.entries(objectOf(body)).filter(([name]) => known.includes(name)));
}

function save(tasks: PlainItems, part: Part, call: GraphCall, change: (list: JsonObject[]) => JsonObject[]): void {
  const item = tasks.itemOf(call);
  const { properties } = item.content;
  const changed = { ...properties, [part.name]: change(objectsOf(properties[part.name])) };
  tasks.mailboxOf(call).changeItem(item, { ...item.content, properties: changed });
}

function create(tasks: PlainItems, part: Part, call: GraphCall): GraphReply {
  const createdDateTime = new Date(call.tenant.nowMs()).toISOString();
  const born = part.name === 'checklistItems' ? { isChecked: false, createdDateTime } : {};
  const entity = { id: call.tenant.newId(), ...born, ...read(part, call.body) };
  save(tasks, part, call, (list) => [...list, entity]);
  return entityReply(call, entity, { context: part.name }, 201);
}

function change(tasks: PlainItems, part: Part, call: GraphCall): GraphReply {
  const before = find(call, objectsOf(tasks.itemOf(call).content.properties[part.name]));
  const entity = { ...before, ...read(part, call.body) };
  save(tasks, part, call, (list) => list.map((one) => (one['id'] === entity['id'] ? entity : one)));
  return entityReply(call, entity, { context: part.name });
}

function remove(tasks: PlainItems, part: Part, call: GraphCall): GraphReply {
  const gone = find(call, objectsOf(tasks.itemOf(call).content.properties[part.name]));
  save(tasks, part, call, (list) => list.filter(({ id }) => id !== gone['id']));
  return { status: 204 };
}
