import type { SourceEvent } from '../../source.ts';
import { type DeltaScope, isRemoved, readDelta } from '../delta.ts';
import { readCursor } from '../delta-cursor.ts';
import { type JsonObject, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';

/** A page of a delta as what is there and what has gone; everything else of it as events. */
export type FolderStep = { type: 'there'; entities: JsonObject[] } | SourceEvent;

/** A container's delta from its cursor on: what is gone comes as events, what is there is the caller's to read. */
export async function* readFolderDelta(
  { connection, request }: Reading,
  delta: DeltaScope,
): AsyncGenerator<FolderStep> {
  const from = readCursor(request.cursors.get(delta.scope));
  for await (const step of readDelta(connection, delta, from, request.signal)) {
    if (step.type !== 'page') {
      yield step;
      continue;
    }
    for (const { id } of step.values.filter(isRemoved)) {
      const gone = textOf(id);
      if (gone === undefined) continue;
      yield { type: 'removed', id: gone, ...(delta.parentId == null ? {} : { fromParentId: delta.parentId }) };
    }
    const entities = step.values.filter((entity) => !isRemoved(entity));
    if (entities.length > 0) yield { type: 'there', entities };
  }
}
