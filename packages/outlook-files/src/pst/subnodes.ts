import type { BlockId, BlockStore } from './block-store.ts';
import { BLOCK_BYTES } from './block-store.ts';

/** A node inside a node: a large value, an attachment, a table of recipients. */
export interface Subnode {
  nodeId: number;
  data: BlockId;
  subnodes: BlockId;
}

const HEADER_BYTES = 8;
const LEAF_ENTRY_BYTES = 24;
const INDEX_ENTRY_BYTES = 16;
const LEAF_ENTRIES = Math.floor((BLOCK_BYTES - HEADER_BYTES) / LEAF_ENTRY_BYTES);
const INDEX_ENTRIES = Math.floor((BLOCK_BYTES - HEADER_BYTES) / INDEX_ENTRY_BYTES);

/** Writes SLBLOCKs and, above more than one, an SIBLOCK: [MS-PST] 2.2.2.8.3.3. Returns the root, 0 for no subnodes. */
export function writeSubnodes(store: BlockStore, subnodes: readonly Subnode[]): BlockId {
  const sorted = [...subnodes].sort((a, b) => a.nodeId - b.nodeId);
  const leaves: { nodeId: number; id: BlockId }[] = [];
  for (let from = 0; from < sorted.length; from += LEAF_ENTRIES) {
    const entries = sorted.slice(from, from + LEAF_ENTRIES);
    leaves.push({ nodeId: entries[0]?.nodeId ?? 0, id: store.writeInternal(leafBlock(entries)) });
  }
  if (leaves.length <= 1) {
    return leaves[0]?.id ?? 0;
  }
  if (leaves.length > INDEX_ENTRIES) {
    throw new RangeError(
      `An item has ${sorted.length} attachments and large values; a PST allows at most ${INDEX_ENTRIES * LEAF_ENTRIES}.`,
    );
  }
  return store.writeInternal(indexBlock(leaves));
}

function header(level: number, count: number, entryBytes: number): Buffer {
  const block = Buffer.alloc(HEADER_BYTES + count * entryBytes);
  block.writeUInt8(2, 0);
  block.writeUInt8(level, 1);
  block.writeUInt16LE(count, 2);
  return block;
}

function leafBlock(entries: readonly Subnode[]): Buffer {
  const block = header(0, entries.length, LEAF_ENTRY_BYTES);
  entries.forEach((entry, index) => {
    const at = HEADER_BYTES + index * LEAF_ENTRY_BYTES;
    block.writeUInt32LE(entry.nodeId, at);
    block.writeUInt32LE(entry.data, at + 8);
    block.writeUInt32LE(entry.subnodes, at + 16);
  });
  return block;
}

function indexBlock(leaves: readonly { nodeId: number; id: BlockId }[]): Buffer {
  const block = header(1, leaves.length, INDEX_ENTRY_BYTES);
  leaves.forEach((leaf, index) => {
    const at = HEADER_BYTES + index * INDEX_ENTRY_BYTES;
    block.writeUInt32LE(leaf.nodeId, at);
    block.writeUInt32LE(leaf.id, at + 8);
  });
  return block;
}
