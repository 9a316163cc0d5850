import type { Item } from '../../../model/items.ts';
import type { Scan, SourceEvent } from '../../source.ts';
import { type DeltaScope, emptied } from '../delta/delta.ts';
import { booleanOf, dateOf, type JsonObject, objectOf, textOf, textsOf } from '../json.ts';
import { propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { readFolderDelta } from './folder-deltas.ts';
import { paged, path } from './mailbox-paths.ts';
import { taskList } from './mailbox-places.ts';
import { nonEmptyOrUndefined, withoutUndefined, zonedInstantOf } from './people.ts';
import { readWholeItems, type WholeItem } from './whole-items.ts';

/** Steps and links come only when they are asked for. */
export const TASK_QUERY = '$expand=checklistItems,linkedResources';

/** Reads to-do lists, listed in full every time (they are few), and their tasks by delta. */
export async function* readTasks(reading: Reading, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  const { connection, request } = reading;
  const { object, signal } = request;
  const scan: Scan = { scope: 'task-lists', kinds: ['task-list'] };
  const lists: JsonObject[] = [];
  const call = { path: path`/users/${object.id}/todo/lists`, headers: paged(100), signal };
  for await (const { value } of connection.pages(call)) lists.push(...value);
  yield { type: 'scan-begin', scan, resumed: false };
  for (const list of lists) yield { type: 'item', item: listItem(list), contents: [propertiesOf(list)] };
  for (const { id } of lists) yield* readList(reading, textOf(id) ?? '', stream);
  const there = new Set(lists.map(({ id }) => `tasks/${textOf(id)}`));
  for (const scope of request.cursors.keys())
    if (scope.startsWith('tasks/') && !there.has(scope))
      yield* emptied(taskScope(object.id, scope.slice('tasks/'.length)));
  yield { type: 'scan-end', scan };
}

function taskScope(user: string, listId: string): DeltaScope {
  return {
    scope: `tasks/${listId}`,
    path: path`/users/${user}/todo/lists/${listId}/tasks/delta`,
    headers: paged(100),
    kinds: ['task'],
    parentId: listId,
    isRereadMonthly: true,
  };
}

async function* readList(reading: Reading, listId: string, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  const user = reading.request.object.id;
  for await (const step of readFolderDelta(reading, taskScope(user, listId), taskList(user, listId))) {
    if (step.type !== 'there') yield step;
    else
      yield* readWholeItems(
        reading,
        step.entities.map((task) => wholeTask(user, listId, task)),
        stream,
      );
  }
}

export function wholeTask(user: string, listId: string, task: JsonObject): WholeItem {
  const item = taskItem(task, listId);
  return {
    item,
    path: path`/users/${user}/todo/lists/${listId}/tasks/${item.id}`,
    query: TASK_QUERY,
    toItem: (entity) => taskItem(entity, listId),
  };
}

function listItem(list: JsonObject): Item {
  const role = textOf(list['wellknownListName']);
  return {
    id: textOf(list['id']) ?? '',
    kind: 'task-list',
    parentId: null,
    name: textOf(list['displayName']) ?? '',
    sizeBytes: 0,
    modifiedAt: null,
    details: withoutUndefined({ role: role === 'defaultList' ? 'default' : role === 'none' ? undefined : role }),
  };
}

function taskItem(task: JsonObject, listId: string): Item {
  return {
    id: textOf(task['id']) ?? '',
    kind: 'task',
    parentId: listId,
    name: textOf(task['title']) ?? '',
    sizeBytes: Buffer.byteLength(textOf(objectOf(task['body'])['content']) ?? ''),
    modifiedAt: dateOf(task['lastModifiedDateTime']),
    details: withoutUndefined({
      startsAt: zonedInstantOf(task['startDateTime']),
      endsAt: zonedInstantOf(task['dueDateTime']),
      createdAt: dateOf(task['createdDateTime'])?.toISOString(),
      hasAttachments: booleanOf(task['hasAttachments']),
      importance: textOf(task['importance']),
      categories: nonEmptyOrUndefined(textsOf(task['categories'])),
      itemClass: 'IPM.Task',
    }),
  };
}
