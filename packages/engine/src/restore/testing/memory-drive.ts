import { createHash } from 'node:crypto';
import type { DriveTarget, FilePlace, FoundChild, NewFolderEntry } from '../../source/drive-target.ts';
import { NameInUseError, type TargetContent } from '../../source/target.ts';

export interface KeptChild extends FoundChild {
  parentId: string;
}

/** The hash by which this drive tells bytes apart. */
export const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('base64');

/** A drive in memory, by the letter of the port. */
export class MemoryDrive implements DriveTarget {
  readonly all = new Map<string, KeptChild>();
  private ids = 0;

  async rootId(): Promise<string> {
    return 'root';
  }

  async children(folderId: string): Promise<FoundChild[]> {
    return [...this.all.values()].filter(({ parentId }) => parentId === folderId);
  }

  async createFolder(parentId: string, { name }: NewFolderEntry): Promise<FoundChild> {
    return this.keep({ parentId, name, isFolder: true, sizeBytes: 0, hash: null });
  }

  async write(place: FilePlace, { open }: TargetContent): Promise<FoundChild> {
    const parts: Uint8Array[] = [];
    for await (const part of open()) parts.push(part);
    const bytes = Buffer.concat(parts);
    const facts = { sizeBytes: bytes.length, hash: hashOf(bytes) };
    if (!('id' in place)) {
      const isTaken = (await this.children(place.folderId)).some(({ name }) => name === place.name);
      if (isTaken) throw new NameInUseError(new Error(`${place.name} is taken.`));
      return this.keep({ parentId: place.folderId, name: place.name, isFolder: false, ...facts });
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

  private keep(child: Omit<KeptChild, 'id' | 'modifiedAt'>): KeptChild {
    this.ids += 1;
    const kept = { ...child, id: `child-${this.ids}`, modifiedAt: null };
    this.all.set(kept.id, kept);
    return kept;
  }
}
