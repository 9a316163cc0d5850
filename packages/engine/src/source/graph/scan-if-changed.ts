import { createHash } from 'node:crypto';
import type { Item } from '../../model/items.ts';
import type { LostItem } from '../../model/outcome.ts';
import type { ReadRequest, Scan, SourceEvent } from '../source.ts';
import type { JsonObject } from './json.ts';
import { propertiesOf } from './read-items.ts';

export interface ScannedEntity {
  item: Item;
  entity: JsonObject;
}

/**
 * Scans all entities of a scope, but only when one of them changed: the cursor is the hash of all of them. For what Graph has no delta
 * of and what fits into one reply, such as columns, members and tabs. Also when one of them is lost: none has a request of its own.
 */
export function* scanIfChanged(
  { cursors, lost }: ReadRequest,
  scan: Scan,
  all: readonly ScannedEntity[],
): Generator<SourceEvent> {
  const hash = createHash('sha256').update(JSON.stringify(all)).digest('base64url');
  if (cursors.get(scan.scope) === hash && !lost.some((item) => covers(scan, item))) return;
  yield { type: 'scan-begin', scan, resumed: false };
  for (const { item, entity } of all) yield { type: 'item', item, contents: [propertiesOf(entity)] };
  yield { type: 'scan-end', scan };
  yield { type: 'cursor', scope: scan.scope, value: hash };
}

function covers({ kinds, parentId }: Scan, item: LostItem): boolean {
  return kinds.includes(item.kind) && (parentId === undefined || parentId === item.parentId);
}

/** The events of a container that is gone with all the scan covers. */
export function* nothingLeft(scan: Scan): Generator<SourceEvent> {
  yield { type: 'scan-begin', scan, resumed: false };
  yield { type: 'scan-end', scan };
  yield { type: 'cursor', scope: scan.scope, value: null };
}

/** The entity without what changes with everything in it, and would make a version of it each time. */
export function without(entity: JsonObject, ...names: readonly string[]): JsonObject {
  const left = Object.entries(entity).filter(([name]) => name !== '@odata.context' && !names.includes(name));
  return Object.fromEntries(left);
}
