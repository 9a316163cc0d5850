import type { SourceEvent } from '../../source.ts';
import { readUntilContainerFails } from '../delta/container-delta.ts';
import { type DeltaScope, isRemoved, readDelta } from '../delta/delta.ts';
import { readCursor } from '../delta/delta-cursor.ts';
import { type JsonObject, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import type { Container } from '../reading-failures.ts';

/** A page of a delta as what is there and what has gone; everything else of it as events. */
export type FolderStep = { type: 'there'; entities: JsonObject[] } | SourceEvent;

/** A container's delta from its cursor on: what is gone comes as events, what is there is the caller's to read. */
export async function* readFolderDelta(
  reading: Reading,
  delta: DeltaScope,
  container: Container,
): AsyncGenerator<FolderStep> {
  const { connection, request } = reading;
  const from = readCursor(request.cursors.get(delta.scope));
  const steps = readDelta(connection, delta, from, request.signal);
  for await (const step of readUntilContainerFails(reading, delta, container, steps)) {
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
