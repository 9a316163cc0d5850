import { integer, type NodeModel, type Property } from '../content.ts';
import { nid } from '../sample.ts';
import { type Breakage, cells, find, properties, put, remove, table } from './breakage.ts';

const contents = 0x808e;
const recipientTable = 0x692;
const attachmentTable = 0x671;

function removeSubnode(nodes: NodeModel[], subnode: number): void {
  const node = find(nodes, nid.rich);
  node.subnodes = node.subnodes.filter((candidate) => candidate.nid !== subnode);
}

/** Changes a property of an attachment and its copy in the attachment table. */
function putInAttachment(nodes: NodeModel[], attachment: number, property: Property): void {
  put(properties(nodes, nid.rich, attachment), property);
  put(cells(table(nodes, nid.rich, attachmentTable).rows, attachment), property);
}

export const messageBreakages: Breakage[] = [
  {
    rule: 'message-row',
    what: 'a row without a message',
    also: ['folder-content-count'],
    nodes: (nodes) => {
      table(nodes, contents).rows.push({ id: 0x300004, version: 1, cells: [] });
    },
  },
  {
    rule: 'message-row-value',
    what: 'a row with another size',
    nodes: (nodes) => put(cells(table(nodes, contents).rows, nid.rich), integer(0x0e08, 7)),
  },
  {
    rule: 'message-row-value',
    what: 'a row without the subject',
    nodes: (nodes) => remove(cells(table(nodes, contents).rows, nid.rich), 0x0037),
  },
  {
    rule: 'message-row-value',
    what: 'a row with a value the message lacks',
    nodes: (nodes) => put(cells(table(nodes, contents).rows, nid.rich), integer(0x0036, 2)),
  },
  {
    rule: 'message-unlisted',
    what: 'a message without a row',
    nodes: (nodes) => {
      nodes.push({ ...find(nodes, nid.plain), nid: 0x200084 });
    },
  },
  {
    rule: 'message-property',
    what: 'a message without a search key',
    nodes: (nodes) => remove(properties(nodes, nid.rich), 0x300b),
  },
  {
    rule: 'message-property',
    what: 'an embedded message without a class',
    nodes: (nodes) => remove(properties(nodes, nid.rich, nid.letter, nid.embedded), 0x001a),
  },
  {
    rule: 'recipient-table',
    what: 'a message without a recipient table',
    nodes: (nodes) => removeSubnode(nodes, recipientTable),
  },
  {
    rule: 'recipient-table',
    what: 'a recipient of an unknown type',
    nodes: (nodes) => put(cells(table(nodes, nid.rich, recipientTable).rows, 1), integer(0x0c15, 9)),
  },
  {
    rule: 'recipient-columns',
    what: 'a recipient table without a column',
    nodes: (nodes) => remove(table(nodes, nid.rich, recipientTable).columns, 0x3a40),
  },
  {
    rule: 'attachment-table',
    what: 'attachments without a table',
    nodes: (nodes) => removeSubnode(nodes, attachmentTable),
  },
  {
    rule: 'attachment-columns',
    what: 'an attachment table without a column',
    nodes: (nodes) => remove(table(nodes, nid.rich, attachmentTable).columns, 0x3704),
  },
  {
    rule: 'attachment-row',
    what: 'an attachment without a row',
    nodes: (nodes) => remove(table(nodes, nid.rich, attachmentTable).rows, nid.file),
  },
  {
    rule: 'attachment-row',
    what: 'a row without an attachment',
    nodes: (nodes) => {
      table(nodes, nid.rich, attachmentTable).rows.push({ id: 0x9005, version: 1, cells: [] });
    },
  },
  {
    rule: 'attachment-row-value',
    what: 'a row with another position',
    nodes: (nodes) => put(cells(table(nodes, nid.rich, attachmentTable).rows, nid.file), integer(0x370b, 7)),
  },
  {
    rule: 'attachment-flag',
    what: 'attachments that the flags do not announce',
    nodes: (nodes) => {
      put(properties(nodes, nid.rich), integer(0x0e07, 1));
      put(cells(table(nodes, contents).rows, nid.rich), integer(0x0e07, 1));
    },
  },
  {
    rule: 'attachment-property',
    what: 'an attachment without a position',
    nodes: (nodes) => {
      remove(properties(nodes, nid.rich, nid.letter), 0x370b);
      remove(cells(table(nodes, nid.rich, attachmentTable).rows, nid.letter), 0x370b);
    },
  },
  {
    rule: 'attachment-data',
    what: 'a method that is none',
    nodes: (nodes) => putInAttachment(nodes, nid.letter, integer(0x3705, 9)),
  },
  {
    rule: 'attachment-data',
    what: 'an embedded message that is bytes',
    nodes: (nodes) => putInAttachment(nodes, nid.file, integer(0x3705, 5)),
  },
  {
    rule: 'attachment-size',
    what: 'a wrong size',
    nodes: (nodes) => putInAttachment(nodes, nid.file, integer(0x0e20, 20_000)),
  },
];
