import type { Allocation } from './allocation.ts';
import { hex, readUInt64 } from './binary.ts';
import { Damage, type Findings } from './findings.ts';
import type { PageReference } from './header.ts';
import { pageSize, readPage } from './page.ts';
import type { PstFile } from './pst-file.ts';

/** What the walk through a tree of pages needs to know. */
export interface PageTree {
  file: PstFile;
  findings: Findings;
  allocation: Allocation;
  /** Page type: block tree or node tree. */
  type: number;
  /** Size of a leaf entry in bytes: 24 in the block tree, 32 in the node tree. */
  leafSize: number;
  /** Called with each leaf entry, in the order of the keys. */
  onLeaf: (entry: Buffer) => void;
  /** Called with the id of each page. */
  onPage: (bid: number) => void;
}

/** Bytes of a BTPAGE that contain entries. */
const entryBytes = 488;
const indexEntrySize = 24;

/** Walks the tree below `root` ([MS-PST] 2.2.2.7.7), checking page fields, levels and the order of keys. */
export async function walkPageTree(tree: PageTree, root: PageReference): Promise<void> {
  let previousKey = -1;

  async function visit(reference: PageReference, parent: { key: number; level: number } | undefined): Promise<void> {
    const where = `page ${hex(tree.type)} at ${hex(reference.ib)}`;
    tree.allocation.claim(reference.ib, pageSize, where);
    tree.onPage(reference.bid);
    const page = await readPage(tree.file, tree.findings, tree.type, reference.ib, reference.bid);
    const { entries, level } = readFields(tree, page, where);
    if (parent && level !== parent.level - 1)
      throw new Damage('tree-page-level', where, `cLevel is ${level} below a page of level ${parent.level}`);
    const firstKey = entries[0] && readUInt64(entries[0], 0);
    if (parent && firstKey !== parent.key)
      tree.findings.add(
        'tree-parent-key',
        where,
        `the parent's key is ${hex(parent.key)}, the first key here is ${hex(firstKey ?? 0)}`,
      );
    for (const entry of entries) {
      const key = readUInt64(entry, 0);
      if (level > 0) {
        const child = { bid: readUInt64(entry, 8), ib: readUInt64(entry, 16) };
        await tree.findings.guard(where, () => visit(child, { key, level }));
        continue;
      }
      if (key <= previousKey)
        tree.findings.add('tree-key-order', where, `key ${hex(key)} does not follow ${hex(previousKey)}`);
      previousKey = key;
      tree.onLeaf(entry);
    }
  }

  await tree.findings.guard(`tree ${hex(tree.type)}`, () => visit(root, undefined));
}

function readFields(tree: PageTree, page: Buffer, where: string): { entries: Buffer[]; level: number } {
  const [count, most, size, level] = [...page.subarray(entryBytes, entryBytes + 4)];
  if (count === undefined || most === undefined || size === undefined || level === undefined)
    throw new RangeError('page fields');
  const expectedSize = level === 0 ? tree.leafSize : indexEntrySize;
  if (level > 8)
    throw new Damage('tree-page-level', where, `cLevel is ${level}, a tree has at most 8 levels above its leaves`);
  const fields = `cEnt ${count}, cEntMax ${most}, cbEnt ${size}`;
  if (size !== expectedSize || count > Math.floor(entryBytes / expectedSize))
    throw new Damage('tree-page-fields', where, `${fields} do not fit entries of ${expectedSize} bytes`);
  if (most !== Math.floor(entryBytes / size))
    tree.findings.add('tree-page-fields', where, `${fields}: cEntMax must be ${Math.floor(entryBytes / size)}`);
  if (page.readUInt32LE(entryBytes + 4) !== 0) tree.findings.add('tree-page-fields', where, 'dwPadding is not zero');
  // Only the root of a tree may be without entries: a file without nodes has such a tree.
  if (count === 0 && level > 0) tree.findings.add('tree-page-fields', where, 'an index page has no entries');
  return {
    entries: Array.from({ length: count }, (_, index) => page.subarray(index * size, (index + 1) * size)),
    level,
  };
}
