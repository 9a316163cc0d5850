import { ContainerPaths } from '../../browse/container-paths.ts';
import { type ItemScope, versionsIn } from '../../browse/item-scope.ts';
import { type ExportParts, readWhole } from '../../export/export-parts.ts';
import { CONTAINER_KINDS, type ItemVersion, isSetting, type StoredContent } from '../../model/items.ts';
import { isObject, objectsOf, textOf } from '../../source/graph/json.ts';

/** What the vendor sets on every item, and accepts from no client. */
const ITS_OWN =
  /@odata|^(?:id|changeKey|createdDateTime|lastModifiedDateTime|parentFolderId|webLink|conversationId|conversationIndex|iCalUId|seriesMasterId|occurrenceId|uid|calendar|lastModifiedBy|transactionId)$/;

type LeftOut = (item: ItemVersion, contentName: string) => boolean;

/** Everything of an object that can be written, as texts to compare: an item each, with its place, its properties and its bytes. */
export async function stateOf(parts: ExportParts, scope: ItemScope, isLeftOut?: LeftOut): Promise<string[]> {
  const states: string[] = [];
  for await (const { state } of itemStates(parts, scope, isLeftOut)) states.push(state);
  return states.sort();
}

/** The same with the id of each. */
export async function* itemStates(
  parts: ExportParts,
  scope: ItemScope,
  isLeftOut: LeftOut = () => false,
): AsyncGenerator<{ id: string; state: string }> {
  const paths = new ContainerPaths(parts.catalog, scope);
  for await (const item of versionsIn(parts.catalog, scope)) {
    if (CONTAINER_KINDS.has(item.kind)) {
      paths.saw(item);
      if (item.details.role === undefined)
        yield { id: item.id, state: JSON.stringify([item.kind, await placeOf(paths, item.id)]) };
      continue;
    }
    // Settings go back into the own mailbox alone.
    if (isSetting(item.kind)) continue;
    const contents: [string, unknown][] = [];
    for (const content of item.contents)
      if (!isLeftOut(item, content.name)) contents.push(await contentOf(parts, item, content));
    contents.sort(([one], [other]) => (one < other ? -1 : 1));
    const place = await placeOf(paths, item.parentId);
    yield { id: item.id, state: JSON.stringify([item.kind, place, item.name, contents]) };
  }
}

/** Well-known containers by what they are for, others by their names. */
async function placeOf(paths: ContainerPaths, id: string | null): Promise<string[]> {
  return (await paths.above(id)).map(({ name, details }) => (details.role === undefined ? name : `<${details.role}>`));
}

async function contentOf(parts: ExportParts, item: ItemVersion, content: StoredContent): Promise<[string, unknown]> {
  const bytes = await readWhole(parts, content);
  if (content.name !== 'properties') return [await nameOf(parts, item, content), bytes.toString('base64')];
  return ['properties', writable(JSON.parse(bytes.toString()))];
}

/** Attachments have other ids after they were written: they go by their names. */
async function nameOf(parts: ExportParts, item: ItemVersion, { name }: StoredContent): Promise<string> {
  const id = name.replace(/^attachments\//, '');
  const properties = item.contents.find((one) => one.name === 'properties');
  if (id === name || properties === undefined) return name;
  const stored: unknown = JSON.parse((await readWhole(parts, properties)).toString());
  const fact = isObject(stored) ? objectsOf(stored['attachments']).find((one) => one['id'] === id) : undefined;
  return `attachments/${textOf(fact?.['name']) ?? id}`;
}

function writable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(writable);
  // The day of a cancelled occurrence comes after the id of its series.
  if (typeof value === 'string') return value.replace(/^OID\..*\.(?=\d{4}-\d\d-\d\d$)/, 'OID.');
  if (!isObject(value)) return value;
  const compared = Object.entries(value).filter(([name, one]) => !ITS_OWN.test(name) && one !== null);
  return Object.fromEntries(
    compared
      .map(([name, one]): [string, unknown] => [name, writable(one)])
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
