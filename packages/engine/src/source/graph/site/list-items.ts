import { inOrder } from '../../../model/in-order.ts';
import type { Item, StoredItem } from '../../../model/items.ts';
import type { SourceContent, SourceEvent } from '../../source.ts';
import { type DeltaScope, type DeltaStep, emptied, isRemoved } from '../delta/delta.ts';
import { type DeltaToRead, inBatches, readDeltas } from '../delta/delta-batches.ts';
import { readCursor } from '../delta/delta-cursor.ts';
import { LeftOutVersions, limitOf, mayHaveMore, startOf, type VersionLimit, withLimit } from '../earlier-versions.ts';
import { isNotOffered } from '../graph-error.ts';
import { isObject, type JsonObject, objectOf, textOf } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { asStored, groupsOf, propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { type Container, type ItemPlace, repliesTo } from '../reading-failures.ts';
import { without } from '../scan-if-changed.ts';
import { bodyOfReply, firstOfList } from '../whole-list.ts';
import type { ListToRead } from './lists.ts';
import type { OwnInterface } from './own-interface.ts';
import { RowAttachments, type RowFiles } from './row-attachments.ts';
import { listOfRows, rowId, rowItem, rowOfId, rowsScope } from './site-item.ts';
import { sitePath } from './site-parts.ts';

const GROUP = 20;
const GROUPS_AT_ONCE = 4;
/** A row without this label, or with this one, was never changed. */
const FIRST_VERSION = '1.0';

/** Rows of lists from their cursors on, with the values of their fields and earlier versions. */
export async function* readListItems(
  reading: Reading,
  lists: readonly ListToRead[],
  own: OwnInterface,
  versionsMax: number,
): AsyncGenerator<SourceEvent> {
  const { object, cursors } = reading.request;
  const there = new Set(lists.map(({ id }) => id));
  for (const scope of cursors.keys()) {
    const listId = listOfRows(scope);
    if (listId !== undefined && !there.has(listId)) yield* emptied(rowScope(object.id, listId));
  }
  const attachments = new RowAttachments(own, reading.request);
  const again = await attachments.missingIn(lists);
  const limits = new Map<string, VersionLimit>();
  const deltas = lists.map(({ id }) => {
    const delta = rowScope(object.id, id);
    const stored = readCursor(cursors.get(delta.scope));
    const versions = limitOf(stored, versionsMax);
    limits.set(id, versions);
    return {
      delta,
      container: listContainer(object.id, id),
      from: again.has(id) ? null : startOf(stored, versions),
    };
  });
  // A list whose changes were read before is not one that Graph does not offer.
  const instead = ({ delta, from }: DeltaToRead, error: unknown): DeltaStep[] | null =>
    isNotOffered(error) && from === null ? [notOfferedAlert(lists, delta)] : null;
  const leftOut = new LeftOutVersions();
  const rows = new Rows(reading, { max: versionsMax, of: limits, leftOut }, attachments);
  const steps = readDeltas(reading, inBatches(deltas), instead);
  for await (const events of inOrder(rows.unitsOf(steps), GROUPS_AT_ONCE, (unit) => rows.eventsOf(unit))) yield* events;
  yield* rows.lostRows();
  yield* leftOut.alerts(object, 'row', versionsMax);
  yield* attachments.events(lists);
}

function listContainer(siteId: string, listId: string): Container {
  return { noun: 'list', id: listId, path: `${sitePath(siteId)}${path`/lists/${listId}`}?$select=id` };
}

function placeOfRow(siteId: string, listId: string, row: string): ItemPlace {
  const entity = { path: `${sitePath(siteId)}${path`/lists/${listId}/items/${row}`}?$select=id` };
  return { container: listContainer(siteId, listId), entity };
}

function rowScope(siteId: string, listId: string): DeltaScope {
  return {
    scope: rowsScope(listId),
    path: `${sitePath(siteId)}${path`/lists/${listId}`}/items/delta?$expand=fields`,
    headers: {},
    kinds: ['list-item'],
    parentId: listId,
    isRereadMonthly: true,
  };
}

function notOfferedAlert(lists: readonly ListToRead[], { parentId }: DeltaScope): SourceEvent {
  const name = lists.find(({ id }) => id === parentId)?.name ?? parentId;
  const message = `Microsoft 365 does not report changes in the list ‘${name}’, so its items are not backed up.`;
  return { type: 'alert', alert: { code: 'part-not-offered', message } };
}

/** Rows to read together, or events as they are. */
type Unit = { listId: string; entities: JsonObject[] } | { events: SourceEvent[] };

interface ListedRow {
  entity: JsonObject;
  item: Item;
  known: StoredItem | undefined;
}

/** How many earlier versions rows are stored with, of each list. */
interface RowVersions {
  max: number;
  of: ReadonlyMap<string, VersionLimit>;
  leftOut: LeftOutVersions;
}

class Rows {
  private readonly reading: Reading;
  private readonly versions: RowVersions;
  private readonly attachments: RowAttachments;
  private readonly removed = new Set<string>();
  private readonly lost: Set<string>;

  constructor(reading: Reading, versions: RowVersions, attachments: RowAttachments) {
    this.reading = reading;
    this.versions = versions;
    this.attachments = attachments;
    this.lost = new Set(reading.request.lost.flatMap(({ id, kind }) => (kind === 'list-item' ? [id] : [])));
  }

  async *unitsOf(steps: AsyncIterable<DeltaStep>): AsyncGenerator<Unit> {
    for await (const step of steps) {
      if (step.type === 'page') yield* this.unitsOfPage(step.scope.parentId ?? '', step.values);
      else if (step.type === 'cursor') yield { events: [withLimit(step, this.limitOf(listOfRows(step.scope)))] };
      else yield { events: [step] };
    }
  }

  private limitOf(listId: string | undefined): VersionLimit {
    const { max, of } = this.versions;
    return of.get(listId ?? '') ?? { max, before: null };
  }

  private *unitsOfPage(listId: string, values: readonly JsonObject[]): Generator<Unit> {
    const last = [...new Map(values.map((entity) => [textOf(entity['id']), entity])).values()];
    for (const { id } of last) this.lost.delete(rowId(listId, textOf(id) ?? ''));
    const gone = last.filter(isGoneRow).map(({ id }) => rowId(listId, textOf(id) ?? ''));
    for (const id of gone) this.removed.add(id);
    if (gone.length > 0) yield { events: gone.map((id) => ({ type: 'removed', id, fromParentId: listId })) };
    const there = last.filter((entity) => !isGoneRow(entity));
    for (const entities of groupsOf(there, GROUP)) yield { listId, entities };
  }

  async eventsOf(unit: Unit): Promise<SourceEvent[]> {
    return 'events' in unit ? unit.events : this.read(unit.listId, unit.entities);
  }

  private async read(listId: string, entities: readonly JsonObject[]): Promise<SourceEvent[]> {
    const items = entities.map((entity) => ({ entity, item: rowItem(entity, listId) }));
    const stored = await this.reading.request.current(items.map(({ item }) => item.id));
    const listed = items.map((one) => {
      return { ...one, known: this.removed.has(one.item.id) ? undefined : stored.get(one.item.id) };
    });
    const versions = await this.versionsOf(
      listId,
      listed.filter((row) => this.wantsVersions(row, this.limitOf(listId))),
    );
    const withFiles = listed.filter(wantsFiles).map(({ item }) => item.id);
    const files = await this.attachments.of(listId, withFiles);
    const events = listed.map((row) =>
      this.rowEvents(listId, row, versions.get(row.item.id) ?? null, files.get(row.item.id) ?? null),
    );
    return (await Promise.all(events)).flat();
  }

  private async rowEvents(
    listId: string,
    row: ListedRow,
    versions: readonly JsonObject[] | Error | null,
    files: RowFiles | Error | null,
  ): Promise<SourceEvent[]> {
    const { request, failures } = this.reading;
    const place = placeOfRow(request.object.id, listId, textOf(row.entity['id']) ?? '');
    const failure = [versions, files].find((one) => one instanceof Error);
    if (failure instanceof Error) return failures.eventsOf(row.item, failure, place);
    failures.succeeded(place.container);
    return [rowEvent(row, versions instanceof Error ? null : versions, files instanceof Error ? null : files)];
  }

  private wantsVersions(row: ListedRow, limit: VersionLimit): boolean {
    const { version } = row.item.details;
    if (limit.max === 0 || version === undefined || version === FIRST_VERSION) return false;
    return !isSame(row) || (row.known !== undefined && mayHaveMore(limit, row.known));
  }

  /** Earlier versions by row, newest first; or why they cannot be had. */
  private async versionsOf(listId: string, rows: readonly ListedRow[]): Promise<Map<string, JsonObject[] | Error>> {
    const { connection, request } = this.reading;
    const list = `${sitePath(request.object.id)}${path`/lists/${listId}/items/`}`;
    const calls = rows.map(({ entity }) => {
      return { path: `${list}${encodeURIComponent(textOf(entity['id']) ?? '')}/versions?$expand=fields` };
    });
    const replies = await repliesTo(connection, calls, request.signal);
    const found = rows.map(async ({ item }, index): Promise<[string, JsonObject[] | Error]> => {
      try {
        const { max, leftOut } = this.versions;
        const { first, beyond } = await firstOfList(connection, replies[index], request.signal, max + 1);
        leftOut.add(beyond);
        return [item.id, first.slice(1)];
      } catch (error) {
        return [item.id, error instanceof Error ? error : new Error(String(error))];
      }
    });
    return new Map(await Promise.all(found));
  }

  /** Reads the lost rows of earlier runs again that this round did not list. */
  async *lostRows(): AsyncGenerator<SourceEvent> {
    const { connection, request, failures } = this.reading;
    for (const item of request.lost.filter(({ id }) => this.lost.has(id))) {
      const found = rowOfId(item.id);
      if (found === null) continue;
      const call = `${sitePath(request.object.id)}${path`/lists/${found.listId}/items/${found.row}`}?$expand=fields`;
      const [reply] = await repliesTo(connection, [{ path: call }], request.signal);
      try {
        yield* await this.read(found.listId, [bodyOfReply(reply)]);
      } catch (error) {
        yield await failures.stillLost(item, error, placeOfRow(request.object.id, found.listId, found.row));
      }
    }
  }
}

const isGoneRow = (entity: JsonObject) => isRemoved(entity) || isObject(entity['deleted']);

const isSame = ({ item, known }: ListedRow) =>
  known !== undefined && item.details.tag !== undefined && known.details.tag === item.details.tag;

const storedOf = (known: StoredItem | undefined, prefix: string): SourceContent[] =>
  (known?.contents ?? []).flatMap(({ name }) => (name.startsWith(prefix) ? [{ name, keep: true }] : []));

/** Those of a row that changed, and of one that was stored before they could be read. */
function wantsFiles(row: ListedRow): boolean {
  if (row.item.details.hasAttachments !== true) return false;
  return !isSame(row) || storedOf(row.known, 'attachments/').length === 0;
}

/** What is `null` is not read: those that are stored stay with a row that did not change. */
function rowEvent(row: ListedRow, versions: readonly JsonObject[] | null, files: RowFiles | null): SourceEvent {
  const { entity, item, known } = row;
  if (known !== undefined && isSame(row) && files === null && versions === null) return asStored(known, item.parentId);
  const read = (versions ?? []).flatMap((version): SourceContent[] => {
    const id = textOf(version['id']);
    return id === undefined ? [] : [{ name: `versions/${id}`, bytes: Buffer.from(JSON.stringify(version)) }];
  });
  const earlier = versions === null && isSame(row) ? storedOf(known, 'versions/') : read;
  const attached = files?.contents ?? (item.details.hasAttachments === true ? storedOf(known, 'attachments/') : []);
  const names = attached.map(({ name }) => name.slice('attachments/'.length));
  const details = {
    ...item.details,
    ...(earlier.length > 0 ? { versionCount: earlier.length } : {}),
    ...(names.length > 0 ? { attachmentNames: names } : {}),
  };
  const properties = { ...rowToStore(entity), ...(files === null ? {} : { attachments: files.entities }) };
  return { type: 'item', item: { ...item, details }, contents: [propertiesOf(properties), ...earlier, ...attached] };
}

/** A folder's row counts what is in it, and is not listed when that changes. */
function rowToStore(entity: JsonObject): JsonObject {
  const fields = without(objectOf(entity['fields']), 'FolderChildCount', 'ItemChildCount');
  return { ...without(entity), fields };
}
