import type { DriveTarget, FilePlace, FileTimes, FoundChild, NewFolderEntry } from '../../drive-target.ts';
import type { TargetContent } from '../../target.ts';
import type { GraphConnection } from '../connection.ts';
import { isFolder } from '../drive/drive-item.ts';
import { drivePath, itemPath } from '../drive/drive-paths.ts';
import { QuickXorHash } from '../drive/quick-xor-hash.ts';
import { GraphError } from '../graph-error.ts';
import { dateOf, type JsonObject, numberOf, objectOf, textOf } from '../json.ts';
import { shareItem } from './share-item.ts';
import { uploadFile } from './upload-file.ts';

/** A drive of Microsoft 365 as a target, over a connection of an application or of who signed in. */
export function openGraphDrive(connection: GraphConnection, driveId: string): DriveTarget {
  return new GraphDrive(connection, driveId);
}

class GraphDrive implements DriveTarget {
  private readonly connection: GraphConnection;
  private readonly driveId: string;

  constructor(connection: GraphConnection, driveId: string) {
    this.connection = connection;
    this.driveId = driveId;
  }

  async rootId(signal: AbortSignal): Promise<string> {
    const path = `${drivePath(this.driveId)}/root?$select=id`;
    return textOf((await this.connection.ask({ path, signal }))['id']) ?? '';
  }

  async children(folderId: string, signal: AbortSignal): Promise<FoundChild[]> {
    const found: FoundChild[] = [];
    const path = `${itemPath(this.driveId, folderId)}/children`;
    for await (const { value } of this.connection.pages({ path, signal })) found.push(...value.map(childOf));
    return found;
  }

  async createFolder(parentId: string, { name, times }: NewFolderEntry, signal: AbortSignal): Promise<FoundChild> {
    const path = `${itemPath(this.driveId, parentId)}/children`;
    const body = { name, folder: {}, '@microsoft.graph.conflictBehavior': 'fail', fileSystemInfo: times };
    try {
      // Sent again after an answer that was lost, it finds its own folder there.
      return childOf(await this.connection.ask({ method: 'POST', path, body, isRepeatable: true, signal }));
    } catch (error) {
      if (!(error instanceof GraphError) || error.status !== 409) throw error;
      const there = await this.connection.ask({ path: childPath(this.driveId, parentId, name), signal });
      if (!isFolder(there)) throw error;
      return childOf(there);
    }
  }

  async write(place: FilePlace, bytes: TargetContent, times: FileTimes, signal: AbortSignal): Promise<FoundChild> {
    const path =
      'id' in place ? itemPath(this.driveId, place.id) : `${childPath(this.driveId, place.folderId, place.name)}:`;
    return childOf(await uploadFile(this.connection, path, bytes, times, signal));
  }

  async hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
    const hash = new QuickXorHash();
    for await (const part of bytes) hash.update(part);
    return hash.digest();
  }

  share(id: string, permissions: readonly unknown[], signal: AbortSignal): Promise<string[]> {
    return shareItem(this.connection, itemPath(this.driveId, id), permissions, signal);
  }

  async delete(id: string, signal: AbortSignal): Promise<void> {
    try {
      await this.connection.ask({ method: 'DELETE', path: itemPath(this.driveId, id), signal });
    } catch (error) {
      if (!(error instanceof GraphError) || error.status !== 404) throw error;
    }
  }
}

const childPath = (driveId: string, parentId: string, name: string) =>
  `${itemPath(driveId, parentId)}:/${encodeURIComponent(name)}`;

function childOf(entity: JsonObject): FoundChild {
  const hashes = objectOf(objectOf(entity['file'])['hashes']);
  return {
    id: textOf(entity['id']) ?? '',
    name: textOf(entity['name']) ?? '',
    isFolder: isFolder(entity),
    sizeBytes: numberOf(entity['size']) ?? 0,
    hash: textOf(hashes['quickXorHash']) ?? textOf(hashes['sha256Hash']) ?? null,
    modifiedAt: dateOf(entity['lastModifiedDateTime']),
  };
}
