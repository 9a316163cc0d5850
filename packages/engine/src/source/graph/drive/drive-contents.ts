import type { Item, StoredItem } from '../../../model/items.ts';
import type { Alert } from '../../../model/outcome.ts';
import type { SourceContent, SourceEvent } from '../../source.ts';
import { type LeftOutVersions, mayHaveMore, type VersionLimit } from '../earlier-versions.ts';
import { type JsonObject, textOf } from '../json.ts';
import { asStored, propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { listedBytes } from './checked-bytes.ts';
import { entityToStore, haveSameBytes, isSameItem, isShared } from './drive-item.ts';
import { placeInDrive } from './drive-paths.ts';
import { fileBytes, type TakeAlert, versionBytes } from './file-bytes.ts';
import { type Relations, readRelations } from './item-relations.ts';

/** Hashes of an empty file, in the forms that drives report. */
const HASHES_OF_NOTHING: readonly (string | undefined)[] = [
  undefined,
  'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
];

/** An item of a drive as it was listed, and as it is stored. */
export interface ListedItem {
  item: Item;
  entity: JsonObject;
  /** `undefined` for one that is new, or that may be gone by the time its contents are stored. */
  known: StoredItem | undefined;
}

/** By which limit versions are read, and what counts those that are not. */
export interface CountedLimit extends VersionLimit {
  leftOut: LeftOutVersions;
}

/**
 * The events of some items: with permissions, earlier versions, and bytes that are opened later.
 * @param isRetry whether they could not be read before: then the readable parts of each are stored, and it is reported as lost as long as
 *   a part of it cannot be read
 */
export async function eventsOfItems(
  reading: Reading,
  listed: readonly ListedItem[],
  versions: CountedLimit,
  isRetry = false,
): Promise<SourceEvent[]> {
  const relations = await readRelations(
    reading,
    listed.map((one) => ({
      id: one.item.id,
      permissions: isShared(one.entity) && one.item.details.without !== 'link',
      versionsMax: hasBytes(one.item) && !isAsStored(one, versions) && versions.max > 0 ? versions.max + 1 : 0,
    })),
  );
  const { failures, request } = reading;
  const events = listed.map(async (one, index): Promise<SourceEvent[]> => {
    const found = relations[index] ?? NO_RELATIONS;
    const place = placeInDrive(request.object.id, one.item.id);
    const known = 'error' in found ? NO_RELATIONS : found;
    const lost = 'error' in found ? await failures.eventsOf(one.item, found.error, place) : [];
    if ('error' in found && (!isRetry || lost.length === 0)) return lost;
    failures.succeeded(place.container);
    versions.leftOut.add(known.versionsBeyond);
    const { readable, unreadable } = isRetry
      ? await readableOf(reading, one, known)
      : { readable: known, unreadable: [] };
    return [...skippedEvents(one.item), itemEvent(reading, one, readable, versions), ...lost, ...unreadable];
  });
  return (await Promise.all(events)).flat();
}

const NO_RELATIONS: Relations = { permissions: null, versions: null, versionsBeyond: 0 };

/** The relations without versions whose bytes cannot be had, which is found by reading them, and the loss of those. */
async function readableOf(
  reading: Reading,
  { item, known }: ListedItem,
  relations: Relations,
): Promise<{ readable: Relations; unreadable: SourceEvent[] }> {
  const { failures, request } = reading;
  const { versions } = relations;
  if (versions === null) return { readable: relations, unreadable: [] };
  const stored = new Set(known?.contents.map(({ name }) => name));
  const readable = versions.slice(0, 1);
  let unreadable: SourceEvent[] = [];
  for (const version of versions.slice(1)) {
    try {
      const isStored = stored.has(`versions/${textOf(version['id'])}`);
      if (!isStored) for await (const _ of versionBytes(reading, item, version, request.signal, () => undefined));
      readable.push(version);
    } catch (error) {
      unreadable = await failures.eventsOf(item, error, placeInDrive(request.object.id, item.id));
    }
  }
  return { readable: { ...relations, versions: readable }, unreadable };
}

const hasBytes = ({ kind, details }: Item) => kind === 'file' && details.without === undefined;

const isAsStored = ({ item, known }: ListedItem, versions: VersionLimit) =>
  known !== undefined &&
  known.parentId === item.parentId &&
  isSameItem(item.details.tag, known.details.tag) &&
  !(hasBytes(item) && mayHaveMore(versions, known));

function skippedEvents({ id, name, details: { without } }: Item): SourceEvent[] {
  const cause = (['malware', 'package', 'link'] as const).find((one) => one === without);
  return cause === undefined ? [] : [{ type: 'skipped', id, name, cause }];
}

function itemEvent(
  reading: Reading,
  listed: ListedItem,
  { permissions, versions }: Relations,
  limit: VersionLimit,
): SourceEvent {
  const { item, entity, known } = listed;
  if (known !== undefined && isAsStored(listed, limit)) return asStored(known, item.parentId);
  const properties = propertiesOf({
    ...entityToStore(entity),
    ...(permissions === null ? {} : { permissions }),
    ...(versions === null ? {} : { versions }),
  });
  if (!hasBytes(item)) return { type: 'item', item, contents: [properties] };
  const earlier = versions === null ? storedVersions(known) : versionContents(reading, listed, versions.slice(1));
  const version = textOf(versions?.[0]?.['id']);
  const labels = {
    ...(version === undefined ? {} : { version }),
    ...(earlier.length > 0 ? { versionCount: earlier.length } : {}),
  };
  const contents = [properties, currentContent(reading, listed), ...earlier];
  return { type: 'item', item: { ...item, details: { ...item.details, ...labels } }, contents };
}

/** The bytes; those that are stored stay, whatever was renamed, moved or shared. */
function currentContent(reading: Reading, { item, entity, known }: ListedItem): SourceContent {
  const isStored = known?.contents.some(({ name }) => name === 'file') === true;
  if (isStored && haveSameBytes(item.details.tag, known?.details.tag)) return { name: 'file', keep: true };
  const { sizeBytes, hash } = listedBytes(entity);
  if (sizeBytes === 0 && HASHES_OF_NOTHING.includes(hash?.value)) return { name: 'file', bytes: Buffer.alloc(0) };
  return openContent(reading, item, { name: 'file', sizeBytes }, (signal, takeAlert) =>
    fileBytes(reading, entity, signal, takeAlert),
  );
}

/** Where versions are not asked for, those that are stored stay. */
function storedVersions(known: StoredItem | undefined): SourceContent[] {
  const names = known?.contents.map(({ name }) => name) ?? [];
  return names.filter((name) => name.startsWith('versions/')).map((name) => ({ name, keep: true }));
}

/** An earlier version never changes: one that is stored is not read again. */
function versionContents(
  reading: Reading,
  { item, known }: ListedItem,
  versions: readonly JsonObject[],
): SourceContent[] {
  const stored = new Set(known?.contents.map(({ name }) => name));
  return versions.flatMap((version): SourceContent[] => {
    const id = textOf(version['id']);
    if (id === undefined) return [];
    const name = `versions/${id}` as const;
    if (stored.has(name)) return [{ name, keep: true }];
    const open = (signal: AbortSignal, takeAlert: TakeAlert) => versionBytes(reading, item, version, signal, takeAlert);
    return [openContent(reading, item, { name, sizeBytes: null }, open)];
  });
}

/** A content whose failures are its item's, and which gives alerts about its bytes after they were read. */
function openContent(
  { failures, request }: Reading,
  { id }: Item,
  content: Pick<SourceContent, 'name'> & { sizeBytes: number | null },
  bytes: (signal: AbortSignal, takeAlert: TakeAlert) => AsyncIterable<Uint8Array>,
): SourceContent {
  const alerts: Alert[] = [];
  const open = (signal: AbortSignal) =>
    failures.bytes(
      bytes(signal, (alert) => alerts.push(alert)),
      placeInDrive(request.object.id, id),
    );
  return { ...content, open, alerts: () => alerts };
}
