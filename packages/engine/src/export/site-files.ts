import { childrenOf } from '../browse/children-of.ts';
import { type ItemScope, versionsIn } from '../browse/item-scope.ts';
import { locatedAhead } from '../catalog/located-ahead.ts';
import type { ItemVersion } from '../model/items.ts';
import { rowOfId } from '../source/graph/site/site-item.ts';
import { type ExportCount, type ExportParts, isOfOneItem, readContent, readProperties } from './export-parts.ts';
import { type MadeEntry, madeEntry } from './made-zip.ts';
import { ZipNames } from './safe-name.ts';

const PREFIX = 'attachments/';

/** The files that are attached to rows, in a folder for each row by its number. */
export async function* rowFileEntries(
  parts: ExportParts,
  scope: ItemScope,
  folder: string,
  count: ExportCount,
): AsyncGenerator<MadeEntry> {
  const names = new ZipNames(count);
  for await (const { version, index } of locatedAhead(parts.catalog, versionsIn(parts.catalog, scope))) {
    parts.signal.throwIfAborted();
    for (const content of version.contents) {
      if (version.kind !== 'list-item' || !content.name.startsWith(PREFIX)) continue;
      const path = [folder, rowOfId(version.id)?.row ?? version.id];
      const name = names.reserve(path, content.name.slice(PREFIX.length));
      yield {
        name: [...path, name].join('/'),
        modifiedAt: version.modifiedAt,
        sizeBytes: content.sizeBytes,
        open: () => readContent({ ...parts, index }, content),
        onMissing: (error) => count.miss({ id: version.id, name }, path, error),
      };
    }
  }
}

/** Who has which role in a site, its lists and rows, as one JSON file. */
export async function* roleEntries(
  parts: ExportParts,
  scope: ItemScope,
  count: ExportCount,
): AsyncGenerator<MadeEntry> {
  const roles: Record<string, unknown>[] = [];
  const parents: (string | null)[] = [null];
  for await (const { id } of childrenOf(parts.catalog, scope, null, ['list'])) parents.push(id);
  for (const parent of parents)
    for await (const one of childrenOf(parts.catalog, scope, parent, ['role-assignments']))
      roles.push(...(await rolesOf(parts, one, count)));
  if (roles.length > 0) yield madeEntry('Permissions.json', `${JSON.stringify(roles, null, 2)}\n`);
}

async function rolesOf(
  parts: ExportParts,
  version: ItemVersion,
  count: ExportCount,
): Promise<Record<string, unknown>[]> {
  try {
    const entity = await readProperties(parts, version);
    count.done(version.sizeBytes);
    return [{ of: version.name, ...entity }];
  } catch (error) {
    if (!isOfOneItem(error)) throw error;
    count.miss(version, [], error);
    return [];
  }
}
