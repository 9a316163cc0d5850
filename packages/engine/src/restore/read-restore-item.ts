import { type ExportParts, readProperties } from '../export/export-parts.ts';
import type { ItemVersion } from '../model/items.ts';
import { textsOf } from '../source/graph/json.ts';
import type { RestoreOptions } from './restore-options.ts';
import type { RestoreItem } from './restore-place.ts';

/** The category that `mark` gives items of mailboxes: people see it in every program, can search for it, and take it away at once. */
export const RESTORED_CATEGORY = 'Restored';

/** An item with what is written of it: as it was stored, but for what the options ask for. @throws `damaged` */
export async function readRestoreItem(
  parts: Pick<ExportParts, 'repository' | 'catalog' | 'signal'>,
  version: ItemVersion,
  options: Pick<RestoreOptions, 'mark' | 'markUnread'>,
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
  const properties = changed(version, stored, options);
  return { version, properties, contents, isChanged: properties !== stored };
}

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
