import { itemNotFound } from '../../drives/items/drive-item.ts';
import { collectionReply } from '../../wire/collection.ts';
import type { GraphCall, GraphReply } from '../../wire/graph-call.ts';
import { GraphError } from '../../wire/graph-error.ts';
import { objectOf } from '../../wire/json.ts';
import { entityReply } from '../../wire/representation.ts';
import { listOf, siteOf } from '../site-call.ts';
import { type Column, changesOf, columnEntity, isBuiltIn, readColumn } from './column.ts';

const refused = (message: string) => new GraphError(400, 'invalidRequest', message);

export function listColumns(call: GraphCall): GraphReply {
  const { columns } = listOf(call, siteOf(call));
  return collectionReply(call, columns.map(columnEntity), { context: 'Collection(columnDefinition)' });
}

export function getColumn(call: GraphCall): GraphReply {
  return columnReply(call, columnOf(call), 200);
}

export function createColumn(call: GraphCall): GraphReply {
  const list = listOf(call, siteOf(call));
  const column = readColumn(call.body, call.tenant.newId());
  if (list.columns.some(({ name }) => name === column.name)) {
    throw new GraphError(409, 'nameAlreadyExists', `A column of the name '${column.name}' already exists.`);
  }
  list.columns.push(column);
  return columnReply(call, column, 201);
}

export function updateColumn(call: GraphCall): GraphReply {
  const column = columnOf(call);
  Object.assign(column, changesOf(objectOf(call.body), column.kind));
  return columnReply(call, column, 200);
}

export function deleteColumn(call: GraphCall): GraphReply {
  const list = listOf(call, siteOf(call));
  const column = columnOf(call);
  if (isBuiltIn(column)) throw refused(`The column '${column.name}' cannot be deleted.`);
  list.columns = list.columns.filter((other) => other !== column);
  return { status: 204 };
}

function columnOf(call: GraphCall): Column {
  const key = call.params['column'];
  const found = listOf(call, siteOf(call)).columns.find(({ id, name }) => id === key || name === key);
  if (!found) throw itemNotFound();
  return found;
}

const columnReply = (call: GraphCall, column: Column, status: number) =>
  entityReply(call, columnEntity(column), { context: 'columnDefinition/$entity' }, status);
