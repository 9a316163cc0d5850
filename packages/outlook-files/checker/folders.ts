import { hex } from './binary.ts';
import type { PropertyContext } from './heap/property-context.ts';
import { compareRow } from './heap/row-values.ts';
import type { Row, TableContext } from './heap/table-context.ts';
import { checkMessage, isUnread } from './messages.ts';
import { NodeContent } from './node-content.ts';
import { nodeName, nodeType, sibling, typeOf } from './nodes.ts';
import {
  checkNames,
  checkUnused,
  openProperties,
  openTable,
  requireColumns,
  requireProperties,
  type Store,
} from './objects.ts';
import { associatedColumns, type ColumnTag, contentsColumns, hierarchyColumns } from './tables.ts';

/** The folder above all others. */
export const rootFolder = 0x122;

/** [MS-PST] 2.4.4.1.1. */
const required: ColumnTag[] = [
  [0x3001, 0x001f],
  [0x3602, 0x0003],
  [0x3603, 0x0003],
  [0x360a, 0x000b],
];

/** Checks all folders from the root downwards, their tables and the messages in them. */
export async function checkFolders(store: Store): Promise<void> {
  const visited = new Set<number>();
  const root = store.database.nodes.get(rootFolder);
  if (root && root.parent !== rootFolder)
    store.database.findings.add('folder-parent', nodeName(rootFolder), 'the parent of the root folder is itself');
  await checkFolder(store, rootFolder, visited);
  for (const { nid } of store.database.nodes) {
    if ((typeOf(nid) === nodeType.folder || typeOf(nid) === nodeType.searchFolder) && !visited.has(nid))
      store.database.findings.add('folder-unlisted', nodeName(nid), 'no hierarchy table has a row for the folder');
  }
}

async function checkFolder(store: Store, nid: number, visited: Set<number>): Promise<PropertyContext | undefined> {
  visited.add(nid);
  const folder = await openProperties(store.database, nid);
  if (!folder) return undefined;
  requireProperties(folder, required, 'folder-property');
  checkNames(store, folder);
  checkUnused(folder.node);
  // A search folder has no hierarchy of its own, and its results are Outlook's business.
  if (typeOf(nid) === nodeType.searchFolder) return folder;
  const { findings } = store.database;
  await findings.guard(nodeName(nid), () => checkHierarchy(store, nid, folder, visited));
  await findings.guard(nodeName(nid), () => checkContents(store, nid, folder));
  await findings.guard(nodeName(nid), () => checkAssociated(store, nid));
  return folder;
}

async function openFolderTable(
  store: Store,
  nid: number,
  type: number,
  columns: ColumnTag[],
): Promise<TableContext | undefined> {
  const { findings, nodes } = store.database;
  const tableNid = sibling(nid, type);
  if (!nodes.get(tableNid))
    findings.add('folder-table-missing', nodeName(nid), `the folder lacks its table ${nodeName(tableNid)}`);
  if ((nodes.get(tableNid)?.parent ?? 0) !== 0)
    findings.add('node-parent', nodeName(tableNid), 'nidParent of a folder table is zero');
  const table = await openTable(store.database, tableNid);
  if (table) requireColumns(table, columns, 'folder-columns');
  return table;
}

async function checkHierarchy(store: Store, nid: number, folder: PropertyContext, visited: Set<number>): Promise<void> {
  const { findings, nodes } = store.database;
  const table = await openFolderTable(store, nid, nodeType.hierarchyTable, hierarchyColumns);
  if (!table) return;
  let rows = 0;
  for await (const row of table.rows()) {
    rows++;
    checkVersion(store, table, row);
    const child = nodes.get(row.id);
    if (
      !child ||
      (typeOf(row.id) !== nodeType.folder && typeOf(row.id) !== nodeType.searchFolder) ||
      visited.has(row.id)
    ) {
      findings.add('folder-row', table.node.where, `the row ${hex(row.id)} is of no folder, or of one listed before`);
      continue;
    }
    if (child.parent !== nid)
      findings.add(
        'folder-parent',
        nodeName(row.id),
        `nidParent is ${hex(child.parent)}, the folder is listed by ${hex(nid)}`,
      );
    const properties = await checkFolder(store, row.id, visited);
    if (properties) await compareRow(table, row, properties, 'folder-row-value');
  }
  checkUnused(table.node);
  if (((await folder.integer(0x360a)) === 1) !== rows > 0)
    findings.add(
      'folder-subfolders',
      folder.node.where,
      `PidTagSubfolders is ${await folder.integer(0x360a)}, there are ${rows} subfolders`,
    );
}

async function checkContents(store: Store, nid: number, folder: PropertyContext): Promise<void> {
  const { findings } = store.database;
  const table = await openFolderTable(store, nid, nodeType.contentsTable, contentsColumns);
  if (!table) return;
  let unread = 0;
  let rows = 0;
  for await (const row of table.rows()) {
    rows++;
    const message = await checkRow(store, table, row, { folder: nid, type: nodeType.message });
    if (message && (await isUnread(message))) unread++;
  }
  checkUnused(table.node);
  checkListed(store, nid, nodeType.message, rows);
  await compareCount(folder, 0x3602, rows, 'folder-content-count');
  await compareCount(folder, 0x3603, unread, 'folder-unread-count');

  async function compareCount(
    properties: PropertyContext,
    id: number,
    counted: number,
    rule: 'folder-content-count' | 'folder-unread-count',
  ) {
    const stated = await properties.integer(id);
    if (stated !== undefined && stated !== counted)
      findings.add(rule, properties.node.where, `the count is ${stated}, the contents table says ${counted}`);
  }
}

async function checkAssociated(store: Store, nid: number): Promise<void> {
  const table = await openFolderTable(store, nid, nodeType.associatedTable, associatedColumns);
  if (!table) return;
  let rows = 0;
  for await (const row of table.rows()) {
    rows++;
    await checkRow(store, table, row, { folder: nid, type: nodeType.associatedMessage });
  }
  checkUnused(table.node);
  checkListed(store, nid, nodeType.associatedMessage, rows);
}

async function checkRow(
  store: Store,
  table: TableContext,
  row: Row,
  expected: { folder: number; type: number },
): Promise<PropertyContext | undefined> {
  const { findings, nodes } = store.database;
  checkVersion(store, table, row);
  const node = nodes.get(row.id);
  if (!node || typeOf(row.id) !== expected.type || node.parent !== expected.folder) {
    findings.add(
      'message-row',
      table.node.where,
      `the row ${hex(row.id)} is of no message of the folder ${hex(expected.folder)}`,
    );
    return undefined;
  }
  const message = await findings.guard(nodeName(row.id), async () =>
    checkMessage(store, await NodeContent.open(store.database, node, nodeName(row.id))),
  );
  if (message) await compareRow(table, row, message, 'message-row-value');
  return message;
}

/** Row ids are unique, so a table that has as many rows as the folder has messages lists them all. */
function checkListed(store: Store, folder: number, type: number, rows: number): void {
  const messages = store.database.nodes.countChildren(folder, type);
  if (messages > rows)
    store.database.findings.add(
      'message-unlisted',
      nodeName(folder),
      `${messages} messages have the folder as parent, ${rows} are listed`,
    );
}

function checkVersion(store: Store, table: TableContext, row: Row): void {
  const version = row.cells.get(0x67f3);
  if (!version) return;
  const value = (version.read() as Buffer).readUInt32LE(0);
  if (value >= store.database.header.unique)
    store.database.findings.add(
      'header-row-version',
      table.node.where,
      `row ${hex(row.id)} has the version ${value}, dwUnique is ${store.database.header.unique}`,
    );
}
