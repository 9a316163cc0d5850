import { childrenOf } from '../browse/children-of.ts';
import { type ItemScope, versionsIn } from '../browse/item-scope.ts';
import { locatedAhead } from '../catalog/located-ahead.ts';
import type { ItemVersion } from '../model/items.ts';
import { rowOfId } from '../source/graph/site/site-item.ts';
import { type ExportCount, type ExportParts, isOfOneItem, readContent, readProperties } from './export-parts.ts';
import { ZipNames } from './safe-name.ts';
import type { ZipFile } from './zip-file.ts';

const PREFIX = 'attachments/';

/** Adds the files that are attached to rows, in a folder for each row by its number. */
export async function addRowFiles(
  parts: ExportParts,
  scope: ItemScope,
  zip: ZipFile,
  folder: string,
  count: ExportCount,
): Promise<void> {
  const names = new ZipNames(count);
  for await (const { version, index } of locatedAhead(parts.catalog, versionsIn(parts.catalog, scope))) {
    parts.signal.throwIfAborted();
    for (const content of version.contents) {
      if (version.kind !== 'list-item' || !content.name.startsWith(PREFIX)) continue;
      const path = [folder, rowOfId(version.id)?.row ?? version.id];
      const name = names.reserve(path, content.name.slice(PREFIX.length));
      try {
        const open = () => readContent({ ...parts, index }, content);
        await zip.addFile([...path, name].join('/'), version.modifiedAt, content.sizeBytes, open);
      } catch (error) {
        count.miss({ id: version.id, name }, path, error);
      }
    }
  }
}

/** Adds who has which role in a site, its lists and rows, as one JSON file. */
export async function addRoles(parts: ExportParts, scope: ItemScope, zip: ZipFile, count: ExportCount): Promise<void> {
  const roles: Record<string, unknown>[] = [];
  const parents: (string | null)[] = [null];
  for await (const { id } of childrenOf(parts.catalog, scope, null, ['list'])) parents.push(id);
  for (const parent of parents)
    for await (const one of childrenOf(parts.catalog, scope, parent, ['role-assignments']))
      roles.push(...(await rolesOf(parts, one, count)));
  if (roles.length === 0) return;
  const text = Buffer.from(`${JSON.stringify(roles, null, 2)}\n`);
  await zip.addFile('Permissions.json', null, text.length, () => once(text));
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

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
