import type { BlockId } from './block-store.ts';
import { GrowingArray } from './growing-array.ts';
import { initialNodeIndexes, nodeId } from './node-ids.ts';

export interface NodeEntry {
  id: number;
  data: BlockId;
  subnodes: BlockId;
  parent: number;
}

/** A node's id (32 bits) and its place must fit into one double. */
export const MOST_NODES = 2 ** 21;

/** The nodes of a store: sixteen bytes each until the node tree is written. */
export class NodeStore {
  readonly #ids = new GrowingArray((length) => new Uint32Array(length));
  readonly #data = new GrowingArray((length) => new Uint32Array(length));
  readonly #subnodes = new GrowingArray((length) => new Uint32Array(length));
  readonly #parents = new GrowingArray((length) => new Uint32Array(length));
  readonly #nextIndexes = initialNodeIndexes();

  /** The next id of a kind. */
  allocateId(type: number): number {
    const index = this.#nextIndexes[type] ?? 0;
    this.#nextIndexes[type] = index + 1;
    return nodeId(type, index);
  }

  /** The header's `rgnid`. */
  get nextIndexes(): readonly number[] {
    return this.#nextIndexes;
  }

  add(entry: NodeEntry): void {
    this.#ids.push(entry.id);
    this.#data.push(entry.data);
    this.#subnodes.push(entry.subnodes);
    this.#parents.push(entry.parent);
    const type = entry.id & 0x1f;
    this.#nextIndexes[type] = Math.max(this.#nextIndexes[type] ?? 0, (entry.id >>> 5) + 1);
  }

  get count(): number {
    return this.#ids.length;
  }

  /** All nodes in the order of their ids. */
  *entries(): Generator<NodeEntry> {
    if (this.count > MOST_NODES) {
      throw new RangeError(`A PST written here can have at most ${MOST_NODES} nodes; write smaller parts.`);
    }
    // Id and place packed into one number each: a million of them are sorted in a fraction of a second and 8 MB.
    const order = new Float64Array(this.count);
    for (let index = 0; index < order.length; index += 1) {
      order[index] = this.#ids.at(index) * MOST_NODES + index;
    }
    order.sort();
    for (const key of order) {
      const index = key % MOST_NODES;
      yield {
        id: this.#ids.at(index),
        data: this.#data.at(index),
        subnodes: this.#subnodes.at(index),
        parent: this.#parents.at(index),
      };
    }
  }
}
