import { EngineError } from '../../../model/engine-error.ts';
import { type JsonObject, objectsOf, textOf } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import type { Reading } from '../reader.ts';
import { type Reply, repliesTo } from '../reading-failures.ts';
import { wholeList } from '../whole-list.ts';

/** Columns and content types, of a list or of the site itself. */
export interface Schema {
  columns: JsonObject[];
  contentTypes: JsonObject[];
}

export interface ListParts {
  entity: JsonObject;
  /** Or why it could not be read. */
  schema: Schema | EngineError;
}

/** Lists of the system are left out by Graph unless their facet is selected. */
const LISTS =
  '/lists?$select=id,name,displayName,description,createdBy,createdDateTime,webUrl,parentReference,list,system';
export const LISTS_WITH_SCHEMA = `${LISTS}&$expand=columns,contentTypes`;

/**
 * The lists of a site, each with its columns and content types. One call brings all of it, and fails as a whole where those of one list
 * cannot be read: then each list is asked for its own.
 * @param reply to `LISTS_WITH_SCHEMA`
 * @throws EngineError where the lists themselves cannot be read
 */
export async function readLists(reading: Reading, base: string, reply: Reply | undefined): Promise<ListParts[]> {
  const { connection, request } = reading;
  const whole = await wholeList(connection, reply, request.signal).catch(asRefusal);
  if (!(whole instanceof EngineError))
    return whole.map((entity) => {
      const schema = { columns: objectsOf(entity['columns']), contentTypes: objectsOf(entity['contentTypes']) };
      return { entity, schema };
    });
  const [again] = await repliesTo(connection, [{ path: base + LISTS }], request.signal);
  return withSchemas(reading, base, await wholeList(connection, again, request.signal));
}

async function withSchemas(reading: Reading, base: string, entities: readonly JsonObject[]): Promise<ListParts[]> {
  const { connection, request } = reading;
  const calls = entities.flatMap(({ id }) => {
    const list = base + path`/lists/${textOf(id) ?? ''}`;
    return [{ path: `${list}/columns` }, { path: `${list}/contentTypes` }];
  });
  const replies = calls.length === 0 ? [] : await repliesTo(connection, calls, request.signal);
  const lists: ListParts[] = [];
  for (const [index, entity] of entities.entries())
    lists.push({ entity, schema: await schemaOf(reading, replies[2 * index], replies[2 * index + 1]) });
  return lists;
}

/** @param columns the replies to the calls for them */
export async function schemaOf(
  { connection, request: { signal } }: Reading,
  columns: Reply | undefined,
  contentTypes: Reply | undefined,
): Promise<Schema | EngineError> {
  try {
    return {
      columns: await wholeList(connection, columns, signal),
      contentTypes: await wholeList(connection, contentTypes, signal),
    };
  } catch (error) {
    return asRefusal(error);
  }
}

/** Why a part of a site could not be read. @throws what is no answer of Microsoft 365 */
export function asRefusal(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  throw error;
}
