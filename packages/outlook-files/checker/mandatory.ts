import { attachmentTable } from './attachments.ts';
import { hex } from './binary.ts';
import type { Database } from './database.ts';
import { rootFolder } from './folders.ts';
import { type PropertyContext, propertyName } from './heap/property-context.ts';
import { recipientTable } from './messages.ts';
import { nodeName, nodeType, typeOf } from './nodes.ts';
import { openProperties, openTable, requireColumns, requireProperties } from './objects.ts';
import {
  associatedColumns,
  attachmentColumns,
  type ColumnTag,
  contentsColumns,
  hierarchyColumns,
  recipientColumns,
  searchColumns,
} from './tables.ts';

const messageStore = 0x21;

/**
 * Nodes of fixed id every file has ([MS-PST] 2.7.1), besides the templates. Folder tables are checked with their folders. The spam search
 * folder (0x2223) comes with its update queue and its criteria; the three tables that 2.7.3.4.4 gives it are in no file of Outlook's
 * own that is known here, so they are not asked for.
 */
const mandatoryNodes = [messageStore, 0x61, rootFolder, 0x1e1, 0x201, 0x2223, 0x2226, 0x2227];

/** Nodes the document does not know, whose absence Outlook's repair tool of today reports; old files lack all but the first. */
const laterNodes: [nid: number, what: string][] = [
  [0x62b, 'receive folder table'],
  [0x64c, 'outgoing queue table'],
  [0x6b6, 'template'],
  [0x6d7, 'template'],
  [0x6f8, 'template'],
  [0xec1, 'search update queue'],
];

/** The table templates ([MS-PST] 2.7.3.3) by node id. */
const templates = new Map<number, ColumnTag[]>([
  [0x60d, hierarchyColumns],
  [0x60e, contentsColumns],
  [0x60f, associatedColumns],
  [0x610, searchColumns],
  [attachmentTable, attachmentColumns],
  [recipientTable, recipientColumns],
]);

/** [MS-PST] 2.4.3.1, and the password of 2.4.3.3, which Outlook's repair tool demands. */
const storeProperties: ColumnTag[] = [
  [0x0ff9, 0x0102],
  [0x3001, 0x001f],
  [0x35e0, 0x0102],
  [0x35e3, 0x0102],
  [0x35e7, 0x0102],
  [0x67ff, 0x0003],
];

/** Checks that a file has what every file needs ([MS-PST] 2.7): fixed nodes, templates, message store, special folders. */
export async function checkMandatory(database: Database): Promise<void> {
  const { findings, nodes } = database;
  for (const nid of [...mandatoryNodes, ...templates.keys()])
    if (!nodes.get(nid)) findings.add('mandatory-node', nodeName(nid), 'every file has this node');
  for (const [nid, what] of laterNodes)
    if (!nodes.get(nid)) findings.add('later-node', nodeName(nid), `the ${what} is missing`);
  for (const [nid, columns] of templates) {
    const template = await openTable(database, nid);
    if (!template) continue;
    requireColumns(template, columns, 'template-columns');
    if (template.rowIds.length > 0)
      findings.add('template-rows', nodeName(nid), `a template has no rows, this one has ${template.rowIds.length}`);
  }
  const store = await openProperties(database, messageStore);
  if (store) await checkStore(database, store);
}

async function checkStore(database: Database, store: PropertyContext): Promise<void> {
  requireProperties(store, storeProperties, 'store-property');
  const key = await store.bytes(0x0ff9);
  if (key && key.length !== 16)
    database.findings.add('store-property', store.node.where, `PidTagRecordKey has ${key.length} bytes, not 16`);
  for (const id of [0x35e0, 0x35e3, 0x35e7]) {
    const entryId = await store.bytes(id);
    if (entryId) checkEntryId(database, id, entryId, key);
  }
}

/** An EntryID is four zero bytes, the record key of the store and the node id ([MS-PST] 2.4.3.2). */
function checkEntryId(database: Database, id: number, entryId: Buffer, key: Buffer | undefined): void {
  const problem = (message: string) => database.findings.add('store-entry-id', propertyName(id), message);
  if (entryId.length !== 24) {
    problem(`an EntryID has 24 bytes, this one ${entryId.length}`);
    return;
  }
  const nid = entryId.readUInt32LE(20);
  if (entryId.readUInt32LE(0) !== 0) problem('rgbFlags must be zero');
  if (key && !entryId.subarray(4, 20).equals(key)) problem('the uid is not the record key of the store');
  if (typeOf(nid) !== nodeType.folder || !database.nodes.get(nid)) problem(`${hex(nid)} is no folder`);
}
