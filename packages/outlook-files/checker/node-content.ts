import { dataBlocks, dataSize, readData } from './data-tree.ts';
import type { Database } from './database.ts';
import { Damage } from './findings.ts';
import { type NodeReference, nodeName } from './nodes.ts';
import { readSubnodes } from './subnode-tree.ts';

/** A node or subnode opened for reading: its data blocks and its subnodes. */
export class NodeContent {
  readonly database: Database;
  /** How findings name the node, with the nodes above it. */
  readonly where: string;
  readonly #data: number;
  readonly subnodes: Map<number, NodeReference>;
  /** Subnodes that a property, a cell or a rule of the layer above referred to. */
  readonly used = new Set<number>();
  /** The subnode blocks of this node and of those above it. */
  readonly #path: readonly number[];

  private constructor(
    database: Database,
    where: string,
    data: number,
    subnodes: Map<number, NodeReference>,
    path: readonly number[],
  ) {
    this.database = database;
    this.where = where;
    this.#data = data;
    this.subnodes = subnodes;
    this.#path = path;
  }

  /** Opens a node; `above` are the subnode blocks of the nodes above it. A node below itself is damage. */
  static async open(
    database: Database,
    reference: NodeReference,
    where: string,
    above: readonly number[] = [],
  ): Promise<NodeContent> {
    if (above.includes(reference.subnodes))
      throw new Damage('subnode-block', where, 'the subnode has the subnodes of a node above it');
    const subnodes = await readSubnodes(database.blocks, reference.subnodes, where);
    return new NodeContent(
      database,
      where,
      reference.data,
      subnodes,
      reference.subnodes === 0 ? above : [...above, reference.subnodes],
    );
  }

  /** The ids of the data blocks, in order. */
  dataBlocks(): Promise<number[]> {
    return dataBlocks(this.database.blocks, this.#data, this.where);
  }

  readBlock(bid: number): Promise<Buffer> {
    return this.database.blocks.read(bid, this.where);
  }

  /** Opens the subnode `nid`, which counts as used from then on. */
  openSubnode(nid: number): Promise<NodeContent> {
    const reference = this.#use(nid);
    return NodeContent.open(this.database, reference, `${this.where} / ${nodeName(nid)}`, this.#path);
  }

  subnodeSize(nid: number): Promise<number> {
    return dataSize(this.database.blocks, this.#use(nid).data);
  }

  readSubnode(nid: number): Promise<Buffer> {
    return readData(this.database.blocks, this.#use(nid).data, this.where);
  }

  #use(nid: number): NodeReference {
    const reference = this.subnodes.get(nid);
    if (!reference)
      throw new Damage('heap-reference', this.where, `refers to ${nodeName(nid)}, which is none of its subnodes`);
    this.used.add(nid);
    return reference;
  }
}
