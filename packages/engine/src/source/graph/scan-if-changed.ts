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

/** A scope with all that is in it. */
export interface ListedScope {
  scan: Scan;
  all: readonly ScannedEntity[];
  /** Of items of the scope that could not be read: they are there all the same. */
  lost?: readonly SourceEvent[];
}

/**
 * Scans all entities of a scope, but only when one of them changed: the cursor is the hash of all of them. For what Graph has no delta
 * of and what fits into one reply, such as columns, members and tabs. Also when one of them is lost: none is asked for by itself.
 */
export function* scanIfChanged(
  request: ReadRequest,
  scan: Scan,
  all: readonly ScannedEntity[],
): Generator<SourceEvent> {
  yield* scansIfChanged(request, [{ scan, all }]);
}

/** The same of several scopes, between which items move: those of all are listed before any scan ends, so that none counts as gone. */
export function* scansIfChanged(request: ReadRequest, scopes: readonly ListedScope[]): Generator<SourceEvent> {
  const hashes = scopes.map(({ all }) => createHash('sha256').update(JSON.stringify(all)).digest('base64url'));
  const changed = scopes.map(
    ({ scan }, at) => request.cursors.get(scan.scope) !== hashes[at] || request.lost.some((item) => covers(scan, item)),
  );
  for (const [at, { scan }] of scopes.entries()) if (changed[at]) yield { type: 'scan-begin', scan, resumed: false };
  for (const [at, { all, lost = [] }] of scopes.entries()) {
    if (changed[at]) for (const { item, entity } of all) yield { type: 'item', item, contents: [propertiesOf(entity)] };
    yield* lost;
  }
  for (const [at, { scan }] of scopes.entries()) {
    if (!changed[at]) continue;
    yield { type: 'scan-end', scan };
    yield { type: 'cursor', scope: scan.scope, value: hashes[at] ?? null };
  }
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
