import { PropertyBag } from '../mapi/property-bag.ts';
import { FolderNode } from './folder-node.ts';
import { nameMapProperties } from './name-map.ts';
import { NODE, NODE_TYPE, siblingNode } from './node-ids.ts';
import { writeProperties } from './property-context.ts';
import type { Store } from './store.ts';
import { writeSubnodes } from './subnodes.ts';
import { writeTable } from './table.ts';
import type { TableSchema } from './table-schema.ts';
import {
  ASSOCIATED_CONTENTS,
  ATTACHMENT_INDEX,
  ATTACHMENT_TEMPLATE,
  CONTENTS,
  CONTENTS_INDEX,
  HIERARCHY,
  OUTGOING_QUEUE,
  RECEIVE_FOLDERS,
  RECIPIENT_TEMPLATE,
  SEARCH_CONTENTS,
  SEARCH_INDEX,
} from './table-schema.ts';

/** The entry ids of subtree, wastebasket, common views and finder are there and valid: PidTagValidFolderMask. */
const VALID_FOLDERS = 0x01 | 0x08 | 0x40 | 0x80;

/** The folders every store has: the root, the top of those that users see, Deleted Items, the root of searches, and the common views. */
export interface StoreFolders {
  root: FolderNode;
  top: FolderNode;
  deletedItems: FolderNode;
}

export function createStoreFolders(deletedItemsName: string): StoreFolders {
  const root = new FolderNode(NODE.rootFolder, '', undefined);
  const top = new FolderNode(NODE.topOfPersonalFolders, 'Top of Personal Folders', undefined);
  const searchRoot = new FolderNode(NODE.searchRoot, 'Search Root', undefined);
  const commonViews = new FolderNode(NODE.commonViews, 'IPM_COMMON_VIEWS', undefined);
  const deletedItems = new FolderNode(NODE.deletedItems, deletedItemsName, 'IPF.Note');
  root.children.push(top, searchRoot, commonViews);
  top.children.push(deletedItems);
  return { root, top, deletedItems };
}

/** Writes all nodes a store has besides messages: those of [MS-PST] 2.7.1, those that Outlook's repair tool reports as missing, and those that Outlook makes besides. */
export function writeStoreNodes(store: Store, folders: StoreFolders, displayName: string): void {
  addProperties(store, NODE.messageStore, storeProperties(store, displayName));
  addProperties(store, NODE.nameToIdMap, nameMapProperties());
  const spamSearch = new PropertyBag()
    .text(0x3001, 'SPAM Search Folder 2')
    .integer(0x3602, 0)
    .integer(0x3603, 0)
    .flag(0x360a, false);
  folders.root.write(store, NODE.rootFolder, [{ id: NODE.spamSearchFolder, values: spamSearch }]);
  writeSearchNodes(store, spamSearch);
  writeTemplates(store);
}

function storeProperties(store: Store, displayName: string): PropertyBag {
  const versions = Buffer.alloc(24);
  versions.writeUInt32LE(1, 0);
  store.recordKey.copy(versions, 4);
  versions.writeUInt32LE(1, 20);
  return new PropertyBag()
    .binary(0x0e34, versions)
    .integer(0x0e38, 0)
    .binary(0x0ff9, store.recordKey)
    .textOrEmpty(0x3001, displayName)
    .integer(0x35df, VALID_FOLDERS)
    .binary(0x35e0, store.entryId(NODE.topOfPersonalFolders))
    .binary(0x35e3, store.entryId(NODE.deletedItems))
    .binary(0x35e6, store.entryId(NODE.commonViews))
    .binary(0x35e7, store.entryId(NODE.searchRoot))
    .flag(0x6633, true)
    .integer(0x66fa, 0x000e000d)
    .integer(0x67ff, 0);
}

/**
 * The one search folder every store has, with its criteria, its queue and its (empty) results. [MS-PST] 2.7.3.4.4 also gives it the three
 * tables of an ordinary folder; files that Outlook makes have none of them, and here it is done as Outlook does.
 */
function writeSearchNodes(store: Store, folder: PropertyBag): void {
  const id = NODE.spamSearchFolder;
  const active = Buffer.alloc(4);
  active.writeUInt32LE(id);
  addProperties(store, id, folder, NODE.rootFolder);
  addProperties(store, siblingNode(id, NODE_TYPE.searchCriteria), new PropertyBag().integer(0x660b, 0));
  addTable(store, siblingNode(id, NODE_TYPE.searchContentsTable), SEARCH_CONTENTS);
  addEmpty(store, siblingNode(id, NODE_TYPE.searchUpdateQueue));
  addEmpty(store, NODE.searchManagementQueue);
  addEmpty(store, NODE.searchDomain); // the folders that search folders look into: none
  addEmpty(store, NODE.searchFolderTemplate);
  store.nodes.add({ id: NODE.searchActivityList, data: store.blocks.writeData(active), subnodes: 0, parent: 0 });
}

function writeTemplates(store: Store): void {
  addTable(store, NODE.hierarchyTableTemplate, HIERARCHY);
  addTable(store, NODE.contentsTableTemplate, CONTENTS);
  addTable(store, NODE.associatedContentsTableTemplate, ASSOCIATED_CONTENTS);
  addTable(store, NODE.searchContentsTableTemplate, SEARCH_CONTENTS);
  addTable(store, NODE.attachmentTable, ATTACHMENT_TEMPLATE);
  addTable(store, NODE.recipientTable, RECIPIENT_TEMPLATE);
  addTable(store, NODE.outgoingQueueTable, OUTGOING_QUEUE);
  addTable(store, NODE.contentsIndexTemplate, CONTENTS_INDEX);
  addTable(store, NODE.searchIndexTemplate, SEARCH_INDEX);
  addTable(store, NODE.attachmentIndexTemplate, ATTACHMENT_INDEX);
  const everyClass = new PropertyBag().textOrEmpty(0x001a, '').integer(0x6605, NODE.rootFolder);
  const receive = writeTable(store, RECEIVE_FOLDERS, [{ id: 1, values: everyClass }]);
  store.nodes.add({ id: NODE.receiveFolderTable, ...receive, parent: 0 });
}

function addProperties(store: Store, id: number, properties: PropertyBag, parent = 0): void {
  const { data, subnodes } = writeProperties(store, properties);
  store.nodes.add({ id, data, subnodes: writeSubnodes(store.blocks, subnodes), parent });
}

function addTable(store: Store, id: number, schema: TableSchema): void {
  store.nodes.add({ id, ...writeTable(store, schema, []), parent: 0 });
}

function addEmpty(store: Store, id: number): void {
  store.nodes.add({ id, data: 0, subnodes: 0, parent: 0 });
}
