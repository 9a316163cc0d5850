import { createHash } from 'node:crypto';
import { ContainerPaths } from '../../browse/container-paths.ts';
import { type ItemScope, versionsIn } from '../../browse/item-scope.ts';
import { type ExportParts, readProperties } from '../../export/export-parts.ts';
import { CONTAINER_KINDS, type ItemVersion } from '../../model/items.ts';
import { objectOf, objectsOf, textOf } from '../../source/graph/json.ts';

/** Everything of a drive that can be written, as texts to compare: path, bytes of every version, the times of the person's program. */
export async function driveStateOf(parts: ExportParts, scope: ItemScope): Promise<string[]> {
  const paths = new ContainerPaths(parts.catalog, scope);
  const state: string[] = [];
  for await (const item of versionsIn(parts.catalog, scope)) {
    // Only the vendor makes a notebook, or a link to another drive.
    if (item.details.without !== undefined && !CONTAINER_KINDS.has(item.kind)) continue;
    const path = [...(await paths.namesAbove(item.parentId)), item.name];
    if (CONTAINER_KINDS.has(item.kind)) {
      paths.saw(item);
      state.push(JSON.stringify(['folder', path]));
    } else state.push(JSON.stringify(['file', path, await contentsOf(parts, item)]));
  }
  return state.sort();
}

async function contentsOf(parts: ExportParts, item: ItemVersion) {
  const properties = await readProperties(parts, item);
  // The newest first, without their ids, which the drive gives.
  const names = ['file', ...objectsOf(properties['versions']).map(({ id }) => `versions/${textOf(id)}`)];
  const contents = [...item.contents].filter(({ name }) => name !== 'properties');
  contents.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name));
  const bytes: unknown[] = [];
  for (const content of contents) {
    const hash = createHash('sha256');
    for await (const part of parts.repository.read(content, parts.catalog, parts.signal)) hash.update(part);
    bytes.push([content.name.replace(/\/.*/, '/'), content.sizeBytes, hash.digest('hex')]);
  }
  const { createdDateTime, lastModifiedDateTime } = objectOf(properties['fileSystemInfo']);
  const own = objectsOf(properties['permissions']).filter((one) => one['inheritedFrom'] === undefined);
  // People are others in another tenant; links are made again for those who have them.
  const links = own.flatMap((one) => textOf(objectOf(one['link'])['type']) ?? []).sort();
  return { bytes, createdDateTime, lastModifiedDateTime, links };
}
