import type { Storage, Stream } from './storage.ts';
import { isStream } from './storage.ts';

export const NO_STREAM = 0xffffffff;
export const ENTRY_BYTES = 128;
const TYPE = { storage: 1, stream: 2, root: 5 } as const;
const COLOUR = { red: 0, black: 1 } as const;

/** An entry of a compound file's directory, [MS-CFB] 2.6. */
export interface DirectoryEntry {
  entry: Storage | Stream;
  left: number;
  right: number;
  child: number;
  isRed: boolean;
  /** Set when the file is laid out. */
  startSector: number;
  sizeBytes: number;
}

/** All entries below a root, the root first. Siblings form a red-black tree, ordered as readers search it. */
export function directoryOf(root: Storage): DirectoryEntry[] {
  const entries: DirectoryEntry[] = [];
  const add = (entry: Storage | Stream): number => {
    const sizeBytes = isStream(entry) ? entry.sizeBytes : 0;
    entries.push({
      entry,
      left: NO_STREAM,
      right: NO_STREAM,
      child: NO_STREAM,
      isRed: false,
      startSector: 0,
      sizeBytes,
    });
    return entries.length - 1;
  };
  const addChildren = (parent: number, storage: Storage): void => {
    const sorted = [...storage.children].sort(byName);
    const ids = sorted.map(add);
    const holder = entries[parent];
    if (holder) {
      holder.child = linkTree(entries, ids, 0, ids.length, 0, Math.floor(Math.log2(ids.length + 1)));
    }
    sorted.forEach((child, index) => {
      if (!isStream(child)) {
        addChildren(ids[index] ?? 0, child);
      }
    });
  };
  addChildren(add(root), root);
  return entries;
}

/** Shorter names first, then by upper-case characters: [MS-CFB] 2.6.4. */
function byName(a: { name: string }, b: { name: string }): number {
  const [one, other] = [a.name.toUpperCase(), b.name.toUpperCase()];
  return a.name.length - b.name.length || (one < other ? -1 : one > other ? 1 : 0);
}

/** Links `ids[from, to)` to a tree as flat as can be. Only the incomplete lowest level is red, so all ways down have equally many black. */
function linkTree(
  entries: DirectoryEntry[],
  ids: readonly number[],
  from: number,
  to: number,
  depth: number,
  full: number,
): number {
  if (from >= to) {
    return NO_STREAM;
  }
  const middle = (from + to) >>> 1;
  const id = ids[middle] ?? NO_STREAM;
  const entry = entries[id];
  if (entry) {
    entry.isRed = depth === full;
    entry.left = linkTree(entries, ids, from, middle, depth + 1, full);
    entry.right = linkTree(entries, ids, middle + 1, to, depth + 1, full);
  }
  return id;
}

/** @param sectorBytes the directory is padded to whole sectors with unused entries */
export function directoryBytes(entries: readonly DirectoryEntry[], sectorBytes: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil((entries.length * ENTRY_BYTES) / sectorBytes) * sectorBytes);
  for (let at = 0; at < bytes.length; at += ENTRY_BYTES) {
    bytes.fill(0xff, at + 68, at + 80); // no siblings, no children
  }
  entries.forEach((item, index) => {
    writeEntry(bytes.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES), item, index === 0);
  });
  return bytes;
}

function writeEntry(bytes: Buffer, item: DirectoryEntry, isRoot: boolean): void {
  const { entry } = item;
  bytes.writeUInt16LE((bytes.write(entry.name, 0, 62, 'utf16le') + 2) & 0xffff, 64);
  bytes.writeUInt8(isRoot ? TYPE.root : isStream(entry) ? TYPE.stream : TYPE.storage, 66);
  bytes.writeUInt8(item.isRed ? COLOUR.red : COLOUR.black, 67);
  bytes.writeUInt32LE(item.left, 68);
  bytes.writeUInt32LE(item.right, 72);
  bytes.writeUInt32LE(item.child, 76);
  if (!isStream(entry)) {
    entry.classId?.copy(bytes, 80);
  }
  bytes.writeUInt32LE(item.startSector, 116);
  bytes.writeUInt32LE(item.sizeBytes, 120);
}
