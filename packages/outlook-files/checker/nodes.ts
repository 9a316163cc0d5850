import { hex, readUInt64 } from './binary.ts';
import { type Blocks, isInternal } from './blocks.ts';
import type { Findings } from './findings.ts';
import type { Header } from './header.ts';

/** Node types, the low five bits of a node id ([MS-PST] 2.2.2.1). */
export const nodeType = {
  internal: 0x01,
  folder: 0x02,
  searchFolder: 0x03,
  message: 0x04,
  attachment: 0x05,
  associatedMessage: 0x08,
  hierarchyTable: 0x0d,
  contentsTable: 0x0e,
  associatedTable: 0x0f,
  searchContentsTable: 0x10,
  attachmentTable: 0x11,
  recipientTable: 0x12,
  value: 0x1f,
} as const;

/** The type of a node id. */
export function typeOf(nid: number): number {
  return nid & 0x1f;
}

/** The node of another type with the same index, as a folder's tables have. */
export function sibling(nid: number, type: number): number {
  return ((nid & ~0x1f) | type) >>> 0;
}

/** How findings name a node. */
export function nodeName(nid: number): string {
  return `node ${hex(nid)}`;
}

/** Where the data and the subnodes of a node are. */
export interface NodeReference {
  data: number;
  subnodes: number;
}

/** A top-level node: a leaf entry of the node tree. */
export interface Node extends NodeReference {
  nid: number;
  parent: number;
}

/** The leaf entries of the node tree, by node id. */
export class Nodes {
  readonly #findings: Findings;
  readonly #nodes = new Map<number, Node>();
  /** How many nodes of each type each parent has, as `parent * 32 + type`. */
  readonly #children = new Map<number, number>();
  readonly #greatestIndex = new Map<number, number>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  get count(): number {
    return this.#nodes.size;
  }

  /** Adds one NBTENTRY ([MS-PST] 2.2.2.7.7.4). */
  add(entry: Buffer): void {
    const nid = entry.readUInt32LE(0);
    const node = { nid, data: readUInt64(entry, 8), subnodes: readUInt64(entry, 16), parent: entry.readUInt32LE(24) };
    this.#nodes.set(nid, node);
    const family = node.parent * 32 + typeOf(nid);
    this.#children.set(family, (this.#children.get(family) ?? 0) + 1);
    this.use(nid);
  }

  /** Notes that a node id is in use, at the top or below another node, for the counters of the header. */
  use(nid: number): void {
    const index = nid >>> 5;
    this.#greatestIndex.set(typeOf(nid), Math.max(index, this.#greatestIndex.get(typeOf(nid)) ?? 0));
  }

  get(nid: number): Node | undefined {
    return this.#nodes.get(nid);
  }

  [Symbol.iterator](): IterableIterator<Node> {
    return this.#nodes.values();
  }

  /** How many nodes of `type` have `parent` as nidParent. */
  countChildren(parent: number, type: number): number {
    return this.#children.get(parent * 32 + type) ?? 0;
  }

  /** Counts the references to blocks and checks that each entry points to blocks of the right kind, and to a parent that exists. */
  checkEntries(blocks: Blocks): void {
    for (const { nid, data, subnodes, parent } of this.#nodes.values()) {
      if (data !== 0) blocks.refer(data, nodeName(nid));
      if (subnodes !== 0) blocks.refer(subnodes, nodeName(nid));
      if (subnodes !== 0 && !isInternal(subnodes))
        this.#findings.add('node-block-kind', nodeName(nid), `bidSub ${hex(subnodes)} is not an internal block`);
      if (parent !== 0 && !this.#nodes.has(parent))
        this.#findings.add('node-parent', nodeName(nid), `nidParent ${hex(parent)} does not exist`);
    }
  }

  /** The counter of each type in the header must have passed every index in use, so that the next object gets a fresh one. */
  checkCounters(header: Header): void {
    for (const [type, index] of this.#greatestIndex) {
      const counter = header.nodeCounters[type] ?? 0;
      if (index > counter)
        this.#findings.add(
          'header-node-counter',
          `rgnid[${type}]`,
          `is ${hex(counter)}, but index ${hex(index)} is in use`,
        );
    }
  }
}
