import type { PropertyKey } from '../mapi/property-bag.ts';
import { BlockStore } from './block-store.ts';
import { idOfName } from './name-map.ts';
import { NodeStore } from './node-store.ts';
import type { PartFile } from './part-file.ts';

/** A PST file that is being written: its space, its blocks and its nodes. */
export class Store {
  readonly file: PartFile;
  readonly blocks: BlockStore;
  readonly nodes = new NodeStore();
  /** The store's own id (PidTagRecordKey): part of every entry id in it. */
  readonly recordKey: Buffer;
  #rowVersion = 0;

  constructor(file: PartFile, isPermuted: boolean, recordKey: Buffer) {
    this.file = file;
    this.blocks = new BlockStore(file, isPermuted);
    this.recordKey = recordKey;
  }

  propertyId(key: PropertyKey): number {
    return typeof key === 'number' ? key : idOfName(key);
  }

  /** Row versions are unique in a store. */
  nextRowVersion(): number {
    this.#rowVersion += 1;
    return this.#rowVersion;
  }

  get lastRowVersion(): number {
    return this.#rowVersion;
  }

  /** How others refer to a node of this store, [MS-PST] 2.4.3.2. */
  entryId(nodeId: number): Buffer {
    const bytes = Buffer.alloc(24);
    this.recordKey.copy(bytes, 4);
    bytes.writeUInt32LE(nodeId, 20);
    return bytes;
  }
}
