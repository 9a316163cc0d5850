import { hex, readUInt64 } from './binary.ts';
import { type Blocks, blockName, isInternal, mostBlockData } from './blocks.ts';
import { Damage, type Findings } from './findings.ts';

/** btype of XBLOCK and XXBLOCK. */
export const dataTreeType = 1;

interface DataTreeBlock {
  level: number;
  total: number;
  children: number[];
}

/** Reads an XBLOCK or XXBLOCK ([MS-PST] 2.2.2.8.3.2). */
async function readDataTreeBlock(blocks: Blocks, bid: number): Promise<DataTreeBlock> {
  const bytes = await blocks.read(bid, blockName(bid));
  const [level, count] = [bytes.readUInt8(1), bytes.readUInt16LE(2)];
  if (bytes.readUInt8(0) !== dataTreeType || level < 1 || level > 2 || bytes.length !== 8 + 8 * count || count === 0)
    throw new Damage(
      'data-tree-block',
      blockName(bid),
      `btype ${bytes.readUInt8(0)}, cLevel ${level}, cEnt ${count} in ${bytes.length} bytes are no data tree`,
    );
  return {
    level,
    total: bytes.readUInt32LE(4),
    children: Array.from({ length: count }, (_, index) => readUInt64(bytes, 8 + 8 * index)),
  };
}

/** Checks one XBLOCK or XXBLOCK: its children, that all but the last are full, and the total. Counts the references. */
export async function checkDataTreeBlock(blocks: Blocks, findings: Findings, bid: number): Promise<void> {
  const tree = await readDataTreeBlock(blocks, bid);
  const where = blockName(bid);
  let total = 0;
  for (const [index, child] of tree.children.entries()) {
    blocks.refer(child, where);
    if (!blocks.has(child)) continue;
    if (isInternal(child) !== (tree.level === 2)) {
      findings.add('data-tree-children', where, `${blockName(child)} is not of the level below ${tree.level}`);
      continue;
    }
    const size = tree.level === 1 ? blocks.size(child) : await sizeBelow(blocks, child, where);
    const full = tree.level === 1 ? mostBlockData : mostBlockData * Math.floor((mostBlockData - 8) / 8);
    if (index < tree.children.length - 1 && size !== full)
      findings.add(
        'data-tree-full',
        where,
        `${blockName(child)} has ${size} bytes of data; every child but the last must have ${full}`,
      );
    total += size;
  }
  if (total !== tree.total)
    findings.add('data-tree-total', where, `lcbTotal is ${tree.total}, the children have ${total} bytes`);
}

async function sizeBelow(blocks: Blocks, bid: number, from: string): Promise<number> {
  const child = await readDataTreeBlock(blocks, bid);
  if (child.level !== 1)
    throw new Damage('data-tree-children', from, `${blockName(bid)} is of level ${child.level}, not 1`);
  return child.total;
}

/** The ids of the data blocks below `bid`, in order; none for the id zero. */
export async function dataBlocks(blocks: Blocks, bid: number, from: string): Promise<number[]> {
  if (bid === 0) return [];
  if (!isInternal(bid)) return [bid];
  const tree = await readDataTreeBlock(blocks, bid);
  if (tree.level === 1) return tree.children;
  const below = [];
  for (const child of tree.children) {
    if (!isInternal(child))
      throw new Damage('data-tree-children', from, `${blockName(child)} is where an XBLOCK belongs`);
    below.push((await readDataTreeBlock(blocks, child)).children);
  }
  return below.flat();
}

/** How many bytes a node's data has. */
export async function dataSize(blocks: Blocks, bid: number): Promise<number> {
  if (bid === 0) return 0;
  return isInternal(bid) ? (await readDataTreeBlock(blocks, bid)).total : blocks.size(bid);
}

/** The whole data of a node; only for values known to be small. */
export async function readData(blocks: Blocks, bid: number, from: string): Promise<Buffer> {
  const size = await dataSize(blocks, bid);
  if (size > 64 * 1024 * 1024)
    throw new Damage('data-tree-total', from, `${hex(size)} bytes are more than such a structure can have`);
  const parts = [];
  for (const block of await dataBlocks(blocks, bid, from)) parts.push(await blocks.read(block, from));
  return Buffer.concat(parts);
}
