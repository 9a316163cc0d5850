import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { EngineError } from '../model/engine-error.ts';
import { CONTAINER_KINDS, type ItemVersion } from '../model/items.ts';
import {
  contentOf,
  ExportCount,
  type ExportParts,
  type ExportResult,
  type ExportScope,
  versionsOf,
  weighScope,
} from './export-parts.ts';
import { FolderPaths } from './folder-paths.ts';
import { NamesInFolder } from './safe-name.ts';

/**
 * Files of a drive, a folder or a selection as one ZIP, streamed into a file that has its name only when it is whole. A file that cannot
 * be read ends the archive: a ZIP with a torn entry would look whole. Names are made safe for every system.
 */
export async function exportZip(parts: ExportParts, scope: ExportScope, path: string): Promise<ExportResult> {
  const count = new ExportCount(parts, await weighScope(parts, scope));
  const unfinished = `${path}.unfinished`;
  const zip = new ZipFile();
  const failing = new AbortController();
  const signal = AbortSignal.any([parts.signal, failing.signal]);
  const adding = addAll({ ...parts, signal }, scope, zip, count).catch((error: unknown) => {
    failing.abort(error);
    throw error;
  });
  const writing = pipeline(zip.outputStream, createWriteStream(unfinished, { flags: 'wx', mode: 0o600 }), { signal });
  try {
    const [added] = await Promise.allSettled([adding, writing]);
    // What kept the files from being read is the cause; that the archive broke off then is not.
    if (added.status === 'rejected') throw added.reason;
    await writing;
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return { items: count.items, bytes: count.bytes, files: [path], missing: count.missing };
}

async function addAll(parts: ExportParts, scope: ExportScope, zip: ZipFile, count: ExportCount): Promise<void> {
  const names = new Map<string, NamesInFolder>();
  const take = (folder: readonly string[], name: string) => {
    const key = folder.join('/');
    const inFolder = names.get(key) ?? new NamesInFolder();
    names.set(key, inFolder);
    return inFolder.take(name);
  };
  const paths = new FolderPaths((item, parent) => take(parent, item.name));
  for await (const item of versionsOf(parts, scope)) {
    const folder = paths.parentOf(item);
    if (CONTAINER_KINDS.has(item.kind))
      zip.addEmptyDirectory(paths.enter(item).join('/'), { mtime: item.modifiedAt ?? new Date(0) });
    else await addFile(parts, item, zip, [...folder, take(folder, item.name)].join('/'), count);
  }
  zip.end();
}

/** One file after the other: what waits in a ZIP's queue would hold its readers open. */
async function addFile(
  parts: ExportParts,
  item: ItemVersion,
  zip: ZipFile,
  name: string,
  count: ExportCount,
): Promise<void> {
  const content = contentOf(item, 'file');
  if (content === null) {
    count.missing.push({
      id: item.id,
      name: item.name,
      path: name.split('/').slice(0, -1),
      reason: item.details.without ?? 'It has no bytes of its own.',
    });
    return;
  }
  const bytes = Readable.from(parts.repository.read(content, parts.catalog, parts.signal), { objectMode: false });
  const ended = new Promise<void>((resolve, reject) => {
    bytes.once('end', resolve);
    bytes.once('error', reject);
  });
  zip.addReadStream(bytes, name, { mtime: item.modifiedAt ?? new Date(0), size: content.sizeBytes });
  await ended.catch((cause: unknown) => {
    throw new EngineError(
      'damaged',
      `'${name}' cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  });
  count.done(content.sizeBytes);
}
