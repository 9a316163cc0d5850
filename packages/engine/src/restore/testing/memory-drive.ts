import { createHash } from 'node:crypto';
import type { DriveTarget, FilePlace, FoundChild, NewFolderEntry } from '../../source/drive-target.ts';
import { NameInUseError, type TargetContent } from '../../source/target.ts';

export interface StoredChild extends FoundChild {
  parentId: string;
}

/** The hash by which this drive compares bytes. */
export const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('base64');

/** A drive in memory, by the letter of the port. */
export class MemoryDrive implements DriveTarget {
  readonly all = new Map<string, StoredChild>();
  private ids = 0;

  async rootId(): Promise<string> {
    return 'root';
  }

  async children(folderId: string): Promise<FoundChild[]> {
    return [...this.all.values()].filter(({ parentId }) => parentId === folderId);
  }

  async createFolder(parentId: string, { name }: NewFolderEntry): Promise<FoundChild> {
    return this.store({ parentId, name, isFolder: true, sizeBytes: 0, hash: null });
  }

  async write(place: FilePlace, { open }: TargetContent): Promise<FoundChild> {
    const parts: Uint8Array[] = [];
    for await (const part of open()) parts.push(part);
    const bytes = Buffer.concat(parts);
    const facts = { sizeBytes: bytes.length, hash: hashOf(bytes) };
    if (!('id' in place)) {
      const isInUse = (await this.children(place.folderId)).some(({ name }) => name === place.name);
      if (isInUse) throw new NameInUseError(new Error(`${place.name} is in use.`));
      return this.store({ parentId: place.folderId, name: place.name, isFolder: false, ...facts });
    }
    const known = this.all.get(place.id);
    if (known === undefined) throw new Error(`There is no file ${place.id}.`);
    return Object.assign(known, facts);
  }

  async hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
    const parts: Uint8Array[] = [];
    for await (const part of bytes) parts.push(part);
    return hashOf(Buffer.concat(parts));
  }

  async share(): Promise<string[]> {
    return [];
  }

  async delete(id: string): Promise<void> {
    this.all.delete(id);
  }

  private store(child: Omit<StoredChild, 'id' | 'modifiedAt'>): StoredChild {
    this.ids += 1;
    const stored = { ...child, id: `child-${this.ids}`, modifiedAt: null };
    this.all.set(stored.id, stored);
    return stored;
  }
}
