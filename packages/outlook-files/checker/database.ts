import { Allocation, checkAllocation, claimMaps } from './allocation.ts';
import { hex } from './binary.ts';
import { Blocks, blockName, isInternal } from './blocks.ts';
import { checkDataTreeBlock, dataTreeType } from './data-tree.ts';
import { Damage, type Findings } from './findings.ts';
import { type Header, readHeader } from './header.ts';
import { Nodes } from './nodes.ts';
import { pageType } from './page.ts';
import { walkPageTree } from './page-tree.ts';
import type { PstFile } from './pst-file.ts';
import { checkSubnodeBlock, subnodeTreeType } from './subnode-tree.ts';

/** The Node Database layer of a file: everything the layers above read through. */
export interface Database {
  header: Header;
  nodes: Nodes;
  blocks: Blocks;
  findings: Findings;
}

/** Reads and checks the Node Database layer ([MS-PST] 2.2): header, maps, both trees, every block. */
export async function readDatabase(file: PstFile, findings: Findings): Promise<Database> {
  const header = await readHeader(file, findings);
  const allocation = new Allocation(file.size, findings);
  const blocks = new Blocks(file, findings, header.permuted);
  const nodes = new Nodes(findings);
  await claimMaps(file, allocation, findings);
  await walkTrees({ file, header, allocation, blocks, nodes, findings });
  await checkBlocks(blocks, nodes, findings);
  nodes.checkEntries(blocks);
  nodes.checkCounters(header);
  blocks.checkReferences();
  if (header.nextBlock <= blocks.lastBid)
    findings.add(
      'header-next-block',
      'header',
      `bidNextB is ${hex(header.nextBlock)}, but ${blockName(blocks.lastBid)} exists`,
    );
  await checkAllocation(file, header, allocation, findings);
  return { header, nodes, blocks, findings };
}

interface Walk {
  file: PstFile;
  header: Header;
  allocation: Allocation;
  blocks: Blocks;
  nodes: Nodes;
  findings: Findings;
}

async function walkTrees({ file, header, allocation, blocks, nodes, findings }: Walk): Promise<void> {
  let lastPage = 0;
  const onPage = (bid: number) => {
    lastPage = Math.max(lastPage, bid);
  };
  const shared = { file, findings, allocation, onPage };
  const onBlock = (entry: Buffer) => blocks.add(entry, allocation);
  await walkPageTree({ ...shared, type: pageType.blockTree, leafSize: 24, onLeaf: onBlock }, header.blockTree);
  await walkPageTree(
    { ...shared, type: pageType.nodeTree, leafSize: 32, onLeaf: (entry) => nodes.add(entry) },
    header.nodeTree,
  );
  if (header.nextPage <= lastPage)
    findings.add('header-next-page', 'header', `bidNextP is ${hex(header.nextPage)}, but page ${hex(lastPage)} exists`);
}

async function checkBlocks(blocks: Blocks, nodes: Nodes, findings: Findings): Promise<void> {
  for (const bid of blocks.ids()) {
    await findings.guard(blockName(bid), async () => {
      await blocks.checkTrailer(bid);
      if (isInternal(bid)) await checkInternalBlock(blocks, nodes, findings, bid);
    });
  }
}

async function checkInternalBlock(blocks: Blocks, nodes: Nodes, findings: Findings, bid: number): Promise<void> {
  const type = (await blocks.read(bid, blockName(bid))).readUInt8(0);
  if (type === dataTreeType) await checkDataTreeBlock(blocks, findings, bid);
  else if (type === subnodeTreeType) await checkSubnodeBlock(blocks, nodes, findings, bid);
  else throw new Damage('block-id', blockName(bid), `the id is that of an internal block, but btype is ${type}`);
}
