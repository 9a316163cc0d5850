import { fixedBytes, TYPE } from '../mapi/property-types.ts';

export interface Column {
  id: number;
  type: number;
  /** Place of the value in a row. */
  offset: number;
  bytes: number;
  /** Whether the row contains the value itself rather than a reference to it. */
  isInline: boolean;
  /** Which bit says whether a row has the value. */
  bit: number;
}

/** The columns of a table and how its rows are laid out, [MS-PST] 2.3.4. */
export interface TableSchema {
  columns: readonly Column[];
  /** Where the columns of four and eight bytes, of two, of one, and the bits end. */
  ends: readonly [number, number, number, number];
  rowBytes: number;
}

export const ROW_ID = 0x67f2;
export const ROW_VERSION = 0x67f3;

type ColumnTag = readonly [id: number, type: number];

const ROW_COLUMNS: readonly ColumnTag[] = [
  [ROW_ID, TYPE.integer32],
  [ROW_VERSION, TYPE.integer32],
];

const byId = (columns: readonly ColumnTag[]) => [...columns].sort(([a], [b]) => a - b);

/**
 * Lays a table out: row id and version first, then wide to narrow as the format requires.
 * @param added columns that the template of the table lacks. They follow those of the template, which stay where they are there: old
 *   versions of Outlook rely on it
 */
function layOut(columns: readonly ColumnTag[], added: readonly ColumnTag[] = []): TableSchema {
  const all = [...columns, ...added, ...ROW_COLUMNS];
  const inOrder = [...byId(columns), ...byId(added)];
  const width = (type: number) => fixedBytes(type) || 4;
  const placed = new Map<number, Pick<Column, 'offset' | 'bit'>>([
    [ROW_ID, { offset: 0, bit: 0 }],
    [ROW_VERSION, { offset: 4, bit: 1 }],
  ]);
  let end = 8;
  const endAfter = (isMine: (bytes: number) => boolean) => {
    for (const [id, type] of inOrder) {
      if (!placed.has(id) && isMine(width(type))) {
        placed.set(id, { offset: end, bit: placed.size });
        end += width(type);
      }
    }
    return end;
  };
  const ends: [number, number, number] = [
    endAfter((bytes) => bytes >= 4),
    endAfter((bytes) => bytes === 2),
    endAfter((bytes) => bytes === 1),
  ];
  const rowBytes = end + Math.ceil(all.length / 8);
  return {
    columns: byId(all).map(([id, type]) => ({
      id,
      type,
      bytes: width(type),
      isInline: fixedBytes(type) > 0,
      ...(placed.get(id) ?? { offset: 0, bit: 0 }),
    })),
    ends: [...ends, rowBytes],
    rowBytes,
  };
}

const { integer32, integer64, string, time, boolean, binary, multipleInteger32 } = TYPE;

/** Folders in a folder, [MS-PST] 2.4.4.4.1. */
export const HIERARCHY = layOut([
  [0x0e30, binary],
  [0x0e33, integer64],
  [0x0e34, binary],
  [0x0e38, integer32],
  [0x3001, string],
  [0x3602, integer32],
  [0x3603, integer32],
  [0x360a, boolean],
  [0x3613, string],
  [0x6635, integer32],
  [0x6636, integer32],
]);

/** Items in a folder, 2.4.4.5.1. */
export const CONTENTS = layOut([
  [0x0017, integer32],
  [0x001a, string],
  [0x0036, integer32],
  [0x0037, string],
  [0x0039, time],
  [0x0042, string],
  [0x0057, boolean],
  [0x0058, boolean],
  [0x0070, string],
  [0x0071, binary],
  [0x0e03, string],
  [0x0e04, string],
  [0x0e06, time],
  [0x0e07, integer32],
  [0x0e08, integer32],
  [0x0e17, integer32],
  [0x0e30, binary],
  [0x0e33, integer64],
  [0x0e34, binary],
  [0x0e38, integer32],
  [0x0e3c, binary],
  [0x0e3d, binary],
  [0x1097, integer32],
  [0x3008, time],
  [0x3013, binary],
  [0x65c6, integer32],
]);

/** Hidden items in a folder, 2.4.4.6.1. */
export const ASSOCIATED_CONTENTS = layOut([
  [0x001a, string],
  [0x0e07, integer32],
  [0x0e17, integer32],
  [0x3001, string],
  [0x6800, string],
  [0x6803, boolean],
  [0x6805, multipleInteger32],
  [0x682f, string],
  [0x7003, integer32],
  [0x7004, binary],
  [0x7005, binary],
  [0x7006, string],
  [0x7007, integer32],
]);

/** Items a search found, 2.4.8.6.2.1. */
export const SEARCH_CONTENTS = layOut([
  [0x0017, integer32],
  [0x001a, string],
  [0x0036, integer32],
  [0x0037, string],
  [0x0042, string],
  [0x0057, boolean],
  [0x0058, boolean],
  [0x0e03, string],
  [0x0e04, string],
  [0x0e05, string],
  [0x0e06, time],
  [0x0e07, integer32],
  [0x0e08, integer32],
  [0x0e17, integer32],
  [0x0e2a, boolean],
  [0x3008, time],
  [0x67f1, integer32],
]);

/** Recipients of an item, 2.4.5.3.1. */
const RECIPIENT_COLUMNS: readonly ColumnTag[] = [
  [0x0c15, integer32],
  [0x0e0f, boolean],
  [0x0ff9, binary],
  [0x0ffe, integer32],
  [0x0fff, binary],
  [0x3001, string],
  [0x3002, string],
  [0x3003, string],
  [0x300b, binary],
  [0x3900, integer32],
  [0x39ff, string],
  [0x3a40, boolean],
];
export const RECIPIENT_TEMPLATE = layOut(RECIPIENT_COLUMNS);
/** The table in an item also has the SMTP address, and the answers of attendees: [MS-OXOCAL] 2.2.4.10. */
export const RECIPIENTS = layOut(RECIPIENT_COLUMNS, [
  [0x39fe, string],
  [0x5ff6, string],
  [0x5ffb, time],
  [0x5ffd, integer32],
  [0x5fff, integer32],
]);

/** Attachments of an item, 2.4.6.1.1. */
const ATTACHMENT_COLUMNS: readonly ColumnTag[] = [
  [0x0e20, integer32],
  [0x3704, string],
  [0x3705, integer32],
  [0x370b, integer32],
];
export const ATTACHMENT_TEMPLATE = layOut(ATTACHMENT_COLUMNS);
/** The table in an item also has the numbers of the attachments. */
export const ATTACHMENTS = layOut(ATTACHMENT_COLUMNS, [[0x0e21, integer32]]);

/** Which folder gets new mail of a class. */
export const RECEIVE_FOLDERS = layOut([
  [0x001a, string],
  [0x6605, integer32],
]);

/** Mail waiting to be sent. */
export const OUTGOING_QUEUE = layOut([
  [0x0039, time],
  [0x0e10, integer32],
  [0x0e14, integer32],
]);

/** Columns of tables that Outlook's synchronisation uses; here they are only ever empty. */
export const CONTENTS_INDEX = layOut([
  [0x0e33, integer64],
  [0x0e37, binary],
  [0x0e38, integer32],
]);
export const SEARCH_INDEX = layOut([
  [0x001a, string],
  [0x0e30, binary],
  [0x0e31, binary],
  [0x0e33, integer64],
  [0x0e34, binary],
  [0x0e38, integer32],
  [0x0e3e, binary],
]);
export const ATTACHMENT_INDEX = layOut([
  [0x0e33, integer64],
  [0x3007, time],
]);
