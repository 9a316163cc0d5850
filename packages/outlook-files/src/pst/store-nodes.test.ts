import { expect, it } from 'vitest';
import { type Database, readDatabase } from '../../checker/database.ts';
import { Findings } from '../../checker/findings.ts';
import { TableContext } from '../../checker/heap/table-context.ts';
import { NodeContent } from '../../checker/node-content.ts';
import { openProperties, openTable } from '../../checker/objects.ts';
import { PstFile } from '../../checker/pst-file.ts';
import { attachmentColumns, recipientColumns } from '../../checker/tables.ts';
import { PstWriter } from '../pst-writer.ts';
import { scratchFolder } from '../testing/scratch-folder.ts';

/** Writes a message with a recipient and an empty attachment, and reads the file on the level of its nodes. */
async function inStore(read: (database: Database) => Promise<void>): Promise<void> {
  await using scratch = await scratchFolder();
  await using writer = await PstWriter.create(scratch.file('a.pst'));
  await writer.add(writer.folder(['Inbox']), {
    kind: 'message',
    recipients: [{ kind: 'to', email: 'a@example.com' }],
    attachments: [{ kind: 'file', name: 'empty', sizeBytes: 0, content: () => [] }],
  });
  await writer.finish();
  await using file = await PstFile.open(scratch.file('a.pst'));
  await read(await readDatabase(file, new Findings()));
}

const placesOf = (table: TableContext | undefined) =>
  table?.columns.map(({ id, type, offset, bit }) => ({ id, type, offset, bit })) ?? [];

it('has the folder of common views that Outlook makes in an empty store', () =>
  inStore(async (database) => {
    const store = await openProperties(database, 0x21);
    expect(await store?.integer(0x35df)).toBe(0xc9);
    expect((await store?.bytes(0x35e6))?.readUInt32LE(20)).toBe(0x8082);
    const nodes = [0x8082, 0x808d, 0x808e, 0x808f].map((id) => database.nodes.get(id));
    expect(nodes.map((node) => node?.parent)).toEqual([0x122, 0, 0, 0]);
    const name = (await openProperties(database, 0x8082))?.properties.get(0x3001);
    expect((await name?.read())?.toString('utf16le')).toBe('IPM_COMMON_VIEWS');
  }));

it('has an empty search domain, as no search folder searches anything', () =>
  inStore(async (database) => {
    expect(database.nodes.get(0x261)).toMatchObject({ data: 0, subnodes: 0, parent: 0 });
  }));

it.each([
  ['attachments', 0x671, attachmentColumns],
  ['recipients', 0x692, recipientColumns],
] as const)('has a template of %s with the columns of the format and no others', (_, id, columns) =>
  inStore(async (database) => {
    const template = placesOf(await openTable(database, id));
    expect(template.map((column) => [column.id, column.type])).toEqual(columns);
    // The table of a message has more columns. Those of the template are where that has them, but for the narrow ones behind the rest.
    const message = [...database.nodes].find(({ nid }) => (nid & 0x1f) === 4);
    if (message === undefined) throw new Error('There is no message.');
    const node = await NodeContent.open(database, message, 'message');
    const places = placesOf(await TableContext.open(await node.openSubnode(id)));
    const wide = template.filter(({ type }) => type !== 0x000b);
    expect(places).toEqual(expect.arrayContaining(wide));
    expect(places.length).toBeGreaterThan(template.length);
  }),
);
