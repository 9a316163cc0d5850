import { FolderPaths } from '../browse/folder-paths.ts';
import { type ItemScope, versionsIn } from '../browse/item-scope.ts';
import { locatedAhead } from '../catalog/located-ahead.ts';
import { EngineError } from '../model/engine-error.ts';
import { CONTAINER_KINDS, type ItemVersion } from '../model/items.ts';
import { skipText } from '../model/skip-texts.ts';
import { contentOf, ExportCount, type ExportParts, type ExportResult, readContent } from './export-parts.ts';
import { ZipNames } from './safe-name.ts';
import { NameTooLongError, writeZip, type ZipFile } from './zip-file.ts';

/** Of an archived item: what Microsoft's import takes as `Data`, unchanged. */
const STREAM_ENDING = '.fts';

/**
 * Files of a drive, a library, a folder or a selection as one ZIP, which has its name only when it is whole. Names are made safe for every
 * system. What cannot be read is in `missing`, and the rest is in the ZIP. Items of a mailbox's archive are in it as the streams that an import takes
 * back (https://learn.microsoft.com/graph/import-exchange-mailbox-item).
 * @throws `bad-request` for an object that has no files
 */
export async function exportZip(parts: ExportParts, scope: ItemScope, path: string): Promise<ExportResult> {
  if (scope.object.kind !== 'drive' && scope.object.kind !== 'archive')
    throw new EngineError(
      'bad-request',
      `A ZIP of files needs a drive; '${scope.object.name}' is a ${scope.object.kind}.`,
    );
  const count = await ExportCount.of(parts, scope);
  await writeZip(path, parts.signal, (zip) => addAll(parts, scope, zip, count));
  return count.result([path]);
}

async function addAll(parts: ExportParts, scope: ItemScope, zip: ZipFile, count: ExportCount): Promise<void> {
  const names = new ZipNames(count);
  const paths = new FolderPaths((item, parent) => names.reserve(parent, item.name));
  for await (const { version: item, index } of locatedAhead(parts.catalog, versionsIn(parts.catalog, scope))) {
    parts.signal.throwIfAborted();
    const folder = paths.parentOf(item);
    if (CONTAINER_KINDS.has(item.kind)) await addFolder(item, zip, paths, count);
    else await addFile({ ...parts, index }, item, zip, [...folder, names.reserve(folder, fileNameOf(item))], count);
  }
}

function fileNameOf(item: ItemVersion): string {
  return contentOf(item, 'export') === null ? item.name : `${item.name === '' ? item.kind : item.name}${STREAM_ENDING}`;
}

async function addFolder(item: ItemVersion, zip: ZipFile, paths: FolderPaths, count: ExportCount): Promise<void> {
  const path = paths.enter(item);
  try {
    await zip.addFolder(path.join('/'), item.modifiedAt);
  } catch (error) {
    count.miss(item, path.slice(0, -1), ofItem(error));
  }
}

async function addFile(
  parts: ExportParts,
  item: ItemVersion,
  zip: ZipFile,
  path: readonly string[],
  count: ExportCount,
): Promise<void> {
  const folder = path.slice(0, -1);
  const { id, name, details } = item;
  const content = contentOf(item, 'file') ?? contentOf(item, 'export');
  if (content === null) {
    if (details.without !== undefined)
      count.add('without', { id, name, path: folder, reason: skipText(details.without) });
    else
      count.miss(
        item,
        folder,
        new EngineError('not-found', 'It was stored without its bytes. Back the drive up again.'),
      );
    return;
  }
  try {
    const open = () => readContent(parts, content);
    await zip.addFile(path.join('/'), item.modifiedAt, content.sizeBytes, open);
    count.done(content.sizeBytes);
  } catch (error) {
    count.miss(item, folder, ofItem(error));
  }
}

const ofItem = (error: unknown) =>
  error instanceof NameTooLongError ? new EngineError('bad-request', error.message, { cause: error }) : error;
