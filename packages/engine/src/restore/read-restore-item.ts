import { type ExportParts, readProperties } from '../export/export-parts.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ItemVersion } from '../model/items.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../source/graph/json.ts';
import type { RestoreOptions } from './restore-options.ts';
import type { RestoreItem } from './restore-place.ts';

/** The category that `mark` gives items of mailboxes: people see it in every program, can search for it, and take it away at once. */
export const RESTORED_CATEGORY = 'Restored';

/** An item with what is written of it: as it was stored, but for what the options ask for. @throws `damaged` */
export async function readRestoreItem(
  parts: Pick<ExportParts, 'repository' | 'catalog' | 'signal'>,
  version: ItemVersion,
  options: Pick<RestoreOptions, 'mark' | 'markUnread'> & Partial<Pick<RestoreOptions, 'earlierVersion'>>,
): Promise<RestoreItem> {
  const { repository, catalog, signal } = parts;
  const contents = version.contents
    .filter(({ name }) => name !== 'properties')
    .map((content) => ({
      name: content.name,
      sizeBytes: content.sizeBytes,
      open: () => repository.read(content, catalog, signal),
    }));
  const stored = await readProperties(parts, version);
  const { earlierVersion = null } = options;
  if (earlierVersion !== null) return asItWas(version, contents, stored, earlierVersion);
  const properties = changed(version, stored, options);
  return { version, properties, contents, isChanged: properties !== stored };
}

/** A file with the bytes and the instant of one of its earlier versions. @throws `not-found` */
function asItWas(
  version: ItemVersion,
  contents: RestoreItem['contents'],
  stored: RestoreItem['properties'],
  id: string,
): RestoreItem {
  const content = contents.find(({ name }) => name === `versions/${id}`);
  if (content === undefined)
    throw new EngineError('not-found', `'${version.name}' has no earlier version ${id} in this restore point.`);
  const facts = objectsOf(stored['versions']).find((one) => textOf(one['id']) === id) ?? {};
  const lastModifiedDateTime = textOf(facts['lastModifiedDateTime']);
  const fileSystemInfo = {
    ...objectOf(stored['fileSystemInfo']),
    ...(lastModifiedDateTime === undefined ? {} : { lastModifiedDateTime }),
  };
  // The hashes are those of the last version, and would make a file that has those bytes look unchanged.
  const properties = { ...stored, file: {}, fileSystemInfo };
  return {
    version: { ...version, sizeBytes: content.sizeBytes, modifiedAt: instantOf(lastModifiedDateTime) },
    properties,
    contents: [{ ...content, name: 'file' }],
    isChanged: true,
  };
}

const instantOf = (text: string | undefined) => (text === undefined ? null : new Date(text));

function changed(
  { kind }: ItemVersion,
  properties: RestoreItem['properties'],
  { mark, markUnread }: Pick<RestoreOptions, 'mark' | 'markUnread'>,
): RestoreItem['properties'] {
  const isMarked = mark && ['message', 'event', 'contact', 'task'].includes(kind);
  const isUnread = markUnread && kind === 'message';
  if (!isMarked && !isUnread) return properties;
  const categories = textsOf(properties['categories']).filter((name) => name !== RESTORED_CATEGORY);
  return {
    ...properties,
    ...(isMarked ? { categories: [...categories, RESTORED_CATEGORY] } : {}),
    ...(isUnread ? { isRead: false } : {}),
  };
}
