import { hex, readUInt64 } from './binary.ts';
import { type Blocks, blockName, isInternal } from './blocks.ts';
import { Damage, type Findings } from './findings.ts';
import { type NodeReference, type Nodes, nodeName } from './nodes.ts';

/** btype of SLBLOCK and SIBLOCK. */
export const subnodeTreeType = 2;

interface SubnodeBlock {
  level: number;
  entries: Buffer[];
}

/** Reads an SLBLOCK or SIBLOCK ([MS-PST] 2.2.2.8.3.3). */
async function readSubnodeBlock(blocks: Blocks, bid: number): Promise<SubnodeBlock> {
  const bytes = await blocks.read(bid, blockName(bid));
  const [level, count] = [bytes.readUInt8(1), bytes.readUInt16LE(2)];
  const size = level === 0 ? 24 : 16;
  if (
    bytes.readUInt8(0) !== subnodeTreeType ||
    level > 1 ||
    bytes.length !== 8 + size * count ||
    bytes.readUInt32LE(4) !== 0 ||
    count === 0
  )
    throw new Damage(
      'subnode-block',
      blockName(bid),
      `btype ${bytes.readUInt8(0)}, cLevel ${level}, cEnt ${count} in ${bytes.length} bytes are no subnode block`,
    );
  return {
    level,
    entries: Array.from({ length: count }, (_, index) => bytes.subarray(8 + size * index, 8 + size * (index + 1))),
  };
}

/** Checks one SLBLOCK or SIBLOCK: order of the entries and keys of the children. Counts the references and the node ids in use. */
export async function checkSubnodeBlock(blocks: Blocks, nodes: Nodes, findings: Findings, bid: number): Promise<void> {
  const { level, entries } = await readSubnodeBlock(blocks, bid);
  const where = blockName(bid);
  let previous = -1;
  for (const entry of entries) {
    const nid = entry.readUInt32LE(0);
    if (nid <= previous) findings.add('subnode-order', where, `${nodeName(nid)} does not follow ${hex(previous)}`);
    previous = nid;
    nodes.use(nid);
    const references = level === 0 ? [readUInt64(entry, 8), readUInt64(entry, 16)] : [readUInt64(entry, 8)];
    for (const reference of references) if (reference !== 0) blocks.refer(reference, where);
    if (level === 1) await checkChild(blocks, findings, { nid, bid: readUInt64(entry, 8) }, where);
    else if (readUInt64(entry, 16) !== 0 && !isInternal(readUInt64(entry, 16)))
      findings.add('subnode-block', where, `bidSub of ${nodeName(nid)} is not an internal block`);
  }
}

async function checkChild(
  blocks: Blocks,
  findings: Findings,
  child: { nid: number; bid: number },
  where: string,
): Promise<void> {
  if (!blocks.has(child.bid)) return;
  const { level, entries } = await readSubnodeBlock(blocks, child.bid);
  const first = entries[0]?.readUInt32LE(0);
  if (level !== 0 || first !== child.nid)
    findings.add(
      'subnode-parent-key',
      where,
      `${blockName(child.bid)} of level ${level} begins with ${hex(first ?? 0)}, the key says ${hex(child.nid)}`,
    );
}

/** The subnodes of a node by their ids, in order; none for the id zero. */
export async function readSubnodes(blocks: Blocks, bid: number, from: string): Promise<Map<number, NodeReference>> {
  const subnodes = new Map<number, NodeReference>();
  if (bid === 0) return subnodes;
  const root = await readSubnodeBlock(blocks, bid);
  const leaves = root.level === 0 ? [root] : [];
  if (root.level === 1)
    for (const entry of root.entries) leaves.push(await readSubnodeBlock(blocks, readUInt64(entry, 8)));
  for (const leaf of leaves) {
    if (leaf.level !== 0) throw new Damage('subnode-parent-key', from, 'a SIBLOCK is below a SIBLOCK');
    for (const entry of leaf.entries)
      subnodes.set(entry.readUInt32LE(0), { data: readUInt64(entry, 8), subnodes: readUInt64(entry, 16) });
  }
  return subnodes;
}
