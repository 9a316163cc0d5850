import type { Item, StoredItem } from '../../../model/items.ts';
import type { SourceContent, SourceEvent } from '../../source.ts';
import { type JsonObject, textOf } from '../json.ts';
import { asStored, concernsAll, isGone, lostEvent, propertiesOf } from '../mailbox/read-items.ts';
import type { Reading } from '../reader.ts';
import { toldBytes } from './checked-bytes.ts';
import { haveSameBytes, isSameItem, isShared, keptEntity } from './drive-item.ts';
import { fileBytes, versionBytes } from './file-bytes.ts';
import { type Relations, readRelations } from './item-relations.ts';

/** Hashes of no bytes at all, in the forms a drive tells them in. */
const HASHES_OF_NOTHING: readonly (string | undefined)[] = [
  undefined,
  'AAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
];

/** An item of a drive as it was told, and as it is stored. */
export interface ToldItem {
  item: Item;
  entity: JsonObject;
  /** `undefined` for one that is new, or that may be gone by the time its contents are kept. */
  known: StoredItem | undefined;
}

/** The events of some items: with permissions, earlier versions, and bytes that are opened later. */
export async function eventsOfItems(
  reading: Reading,
  told: readonly ToldItem[],
  versionsMax: number,
): Promise<SourceEvent[]> {
  const relations = await readRelations(
    reading,
    told.map((one) => ({
      id: one.item.id,
      permissions: isShared(one.entity) && one.item.details.without !== 'link',
      versionsMax: hasBytes(one.item) && !isAsStored(one) && versionsMax > 0 ? versionsMax + 1 : 0,
    })),
  );
  return told.flatMap((one, at) => {
    const found = relations[at] ?? { permissions: null, versions: null };
    if ('error' in found) return refused(one.item, found.error);
    return [...skippedEvents(one.item), itemEvent(reading, one, found)];
  });
}

const hasBytes = ({ kind, details }: Item) => kind === 'file' && details.without === undefined;

const isAsStored = ({ item, known }: ToldItem) =>
  known !== undefined && known.parentId === item.parentId && isSameItem(item.details.tag, known.details.tag);

/** @throws what the next item would meet too */
function refused(item: Item, error: Error): SourceEvent[] {
  if (isGone(error)) return [];
  if (concernsAll(error)) throw error;
  return [lostEvent(item, error)];
}

function skippedEvents({ id, name, details: { without } }: Item): SourceEvent[] {
  const cause = (['malware', 'package', 'link'] as const).find((one) => one === without);
  return cause === undefined ? [] : [{ type: 'skipped', id, name, cause }];
}

function itemEvent(reading: Reading, told: ToldItem, { permissions, versions }: Relations): SourceEvent {
  const { item, entity, known } = told;
  if (known !== undefined && isAsStored(told)) return asStored(known, item.parentId);
  const properties = propertiesOf({
    ...keptEntity(entity),
    ...(permissions === null ? {} : { permissions }),
    ...(versions === null ? {} : { versions }),
  });
  if (!hasBytes(item)) return { type: 'item', item, contents: [properties] };
  const earlier = versions === null ? storedVersions(known) : versionContents(reading, told, versions.slice(1));
  const version = textOf(versions?.[0]?.['id']);
  const labels = {
    ...(version === undefined ? {} : { version }),
    ...(earlier.length > 0 ? { versionCount: earlier.length } : {}),
  };
  const contents = [properties, currentContent(reading, told), ...earlier];
  return { type: 'item', item: { ...item, details: { ...item.details, ...labels } }, contents };
}

/** The bytes; those that are stored stay, whatever was renamed, moved or shared. */
function currentContent(reading: Reading, { item, entity, known }: ToldItem): SourceContent {
  const isStored = known?.contents.some(({ name }) => name === 'file') === true;
  if (isStored && haveSameBytes(item.details.tag, known?.details.tag)) return { name: 'file', keep: true };
  const { sizeBytes, hash } = toldBytes(entity);
  if (sizeBytes === 0 && HASHES_OF_NOTHING.includes(hash?.value)) return { name: 'file', bytes: Buffer.alloc(0) };
  return { name: 'file', sizeBytes, open: (signal) => fileBytes(reading, entity, signal) };
}

/** Where versions are not asked for, those that are stored stay. */
function storedVersions(known: StoredItem | undefined): SourceContent[] {
  const names = known?.contents.map(({ name }) => name) ?? [];
  return names.filter((name) => name.startsWith('versions/')).map((name) => ({ name, keep: true }));
}

/** An earlier version never changes: one that is stored is not read again. */
function versionContents(
  reading: Reading,
  { item, known }: ToldItem,
  versions: readonly JsonObject[],
): SourceContent[] {
  const stored = new Set(known?.contents.map(({ name }) => name));
  return versions.flatMap((version): SourceContent[] => {
    const id = textOf(version['id']);
    if (id === undefined) return [];
    const name = `versions/${id}` as const;
    if (stored.has(name)) return [{ name, keep: true }];
    return [{ name, sizeBytes: null, open: (signal) => versionBytes(reading, item, version, signal) }];
  });
}
