import type { FolderKind } from '../folder.ts';
import { PropertyBag } from '../mapi/property-bag.ts';
import { NODE_TYPE, siblingNode } from './node-ids.ts';
import { writeProperties } from './property-context.ts';
import type { Store } from './store.ts';
import { writeSubnodes } from './subnodes.ts';
import { Table, writeTable } from './table.ts';
import { ASSOCIATED_CONTENTS, CONTENTS, HIERARCHY } from './table-schema.ts';

export const CONTAINER_CLASS: Readonly<Record<FolderKind, string>> = {
  mail: 'IPF.Note',
  calendar: 'IPF.Appointment',
  contacts: 'IPF.Contact',
  tasks: 'IPF.Task',
  notes: 'IPF.StickyNote',
};

/** A folder of a PST file: its node, three tables, and the folders in it. Written when the file is finished. */
export class FolderNode {
  readonly nodeId: number;
  readonly children: FolderNode[] = [];
  unreadCount = 0;
  readonly #name: string;
  readonly #containerClass: string | undefined;
  /** Made with the first item: most folders of a part have none. */
  #contents: Table | undefined;

  constructor(nodeId: number, name: string, containerClass: string | undefined) {
    this.nodeId = nodeId;
    this.#name = name;
    this.#containerClass = containerClass;
  }

  /** The table of the folder's items. */
  contents(store: Store): Table {
    this.#contents ??= new Table(store, CONTENTS);
    return this.#contents;
  }

  get itemCount(): number {
    return this.#contents?.rowCount ?? 0;
  }

  get heapBlockCount(): number {
    return this.#contents?.heapBlockCount ?? 0;
  }

  /** What the folder says of itself; its row in the table above must say the same. */
  properties(): PropertyBag {
    return new PropertyBag()
      .textOrEmpty(0x3001, this.#name)
      .integer(0x3602, this.itemCount)
      .integer(0x3603, this.unreadCount)
      .flag(0x360a, this.children.length > 0)
      .text(0x3613, this.#containerClass);
  }

  /**
   * Writes the folder and all below it.
   * @param otherRows of the folder table, for search folders
   */
  write(store: Store, parent: number, otherRows: readonly FolderRow[] = []): void {
    const { data, subnodes } = writeProperties(store, this.properties());
    store.nodes.add({ id: this.nodeId, data, subnodes: writeSubnodes(store.blocks, subnodes), parent });
    const rows = [...this.children.map((child) => ({ id: child.nodeId, values: child.properties() })), ...otherRows];
    this.#addTable(
      store,
      NODE_TYPE.hierarchyTable,
      writeTable(
        store,
        HIERARCHY,
        rows.sort((a, b) => a.id - b.id),
      ),
    );
    this.#addTable(store, NODE_TYPE.contentsTable, this.contents(store).finish());
    this.#addTable(store, NODE_TYPE.associatedContentsTable, writeTable(store, ASSOCIATED_CONTENTS, []));
    for (const child of this.children) {
      child.write(store, this.nodeId);
    }
  }

  #addTable(store: Store, type: number, table: { data: number; subnodes: number }): void {
    store.nodes.add({ id: siblingNode(this.nodeId, type), ...table, parent: 0 });
  }
}

export interface FolderRow {
  id: number;
  values: PropertyBag;
}
