import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { FolderPaths } from '../browse/folder-paths.ts';
import { type ItemScope, versionsIn } from '../browse/item-scope.ts';
import { locatedAhead } from '../catalog/located-ahead.ts';
import { EngineError } from '../model/engine-error.ts';
import { CONTAINER_KINDS, type ItemVersion, isSetting } from '../model/items.ts';
import { contentOf, ExportCount, type ExportParts, type ExportResult, readContent } from './export-parts.ts';
import { exportMsg } from './outlook-file.ts';
import { ZipNames } from './safe-name.ts';
import { NameTooLongError, writeZip, type ZipFile } from './zip-file.ts';

/**
 * A mailbox, a folder or a selection as one ZIP with a file for each item, in the folders of the mailbox. What is no message has no EML, and is
 * there as MSG.
 * @param format of messages
 * @throws `bad-request` for an object that is no mailbox
 */
export async function exportMailZip(
  parts: ExportParts,
  scope: ItemScope,
  path: string,
  format: 'eml' | 'msg',
): Promise<ExportResult> {
  if (scope.object.kind !== 'mailbox')
    throw new EngineError(
      'bad-request',
      `A ZIP of EML or MSG needs a mailbox; '${scope.object.name}' is a ${scope.object.kind}.`,
    );
  const count = await ExportCount.of(parts, scope);
  await writeZip(path, parts.signal, async (zip) => {
    const names = new ZipNames(count);
    const paths = new FolderPaths((item, parent) => names.reserve(parent, item.name));
    for await (const { version: item, index } of locatedAhead(parts.catalog, versionsIn(parts.catalog, scope))) {
      parts.signal.throwIfAborted();
      const folder = paths.parentOf(item);
      try {
        if (CONTAINER_KINDS.has(item.kind)) await zip.addFolder(paths.enter(item).join('/'), item.modifiedAt);
        else {
          const name = names.reserve(folder, nameOf(item, format));
          const add = { parts: { ...parts, index }, zip, name: [...folder, name].join('/'), spool: spoolOf(path) };
          const losses = await writerOf(item, name)(add, item);
          for (const reason of losses) count.add('changed', { id: item.id, name: item.name, path: folder, reason });
          count.done(item.sizeBytes);
        }
      } catch (error) {
        count.miss(item, folder, ofItem(error));
      }
    }
  });
  return count.result([path]);
}

interface Adding {
  parts: ExportParts;
  zip: ZipFile;
  name: string;
  spool: string;
}

function writerOf({ kind }: ItemVersion, name: string) {
  if (isSetting(kind)) return addJson;
  return name.endsWith('.eml') ? addEml : addMsg;
}

/** What a person has set up is no item of Outlook's. */
async function addJson({ parts, zip, name }: Adding, item: ItemVersion): Promise<readonly string[]> {
  const content = contentOf(item, 'properties');
  if (content === null) throw new EngineError('not-found', 'It was stored without its properties. Back it up again.');
  await zip.addFile(name, item.modifiedAt, content.sizeBytes, () => readContent(parts, content));
  return [];
}

async function addEml({ parts, zip, name }: Adding, item: ItemVersion): Promise<readonly string[]> {
  const content = contentOf(item, 'mime');
  if (content === null) throw new EngineError('not-found', 'It was stored without its MIME. Back it up again.');
  await zip.addFile(name, item.modifiedAt, content.sizeBytes, () => readContent(parts, content));
  return [];
}

/** A MSG is written from its end as well, and so to the disk beside the archive first. */
async function addMsg({ parts, zip, name, spool }: Adding, item: ItemVersion): Promise<readonly string[]> {
  try {
    const losses = await exportMsg(parts, item, spool);
    await zip.addFile(name, item.modifiedAt, (await stat(spool)).size, () => createReadStream(spool));
    return losses;
  } finally {
    await rm(spool, { force: true });
  }
}

const spoolOf = (path: string) => `${path}.${randomBytes(6).toString('hex')}.msg`;

/** Of a subject of any length the ending stays. */
function nameOf({ kind, name }: ItemVersion, format: 'eml' | 'msg'): string {
  if (isSetting(kind)) return `${name === '' ? kind : name}.json`;
  return `${name === '' ? `(without a name)` : name}.${kind === 'message' ? format : 'msg'}`;
}

const ofItem = (error: unknown) =>
  error instanceof NameTooLongError ? new EngineError('bad-request', error.message, { cause: error }) : error;
