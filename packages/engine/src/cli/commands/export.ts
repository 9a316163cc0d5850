import type { ItemScope } from '../../browse/item-scope.ts';
import { versionsIn } from '../../browse/item-scope.ts';
import { exportFileError } from '../../export/export-file-error.ts';
import type { ExportParts, ExportResult } from '../../export/export-parts.ts';
import { exportList, exportLists } from '../../export/list-export.ts';
import { exportMailZip } from '../../export/mail-zip.ts';
import { exportMessageArchive } from '../../export/message-archive.ts';
import { exportEml, exportMsg } from '../../export/outlook-file.ts';
import { exportPst } from '../../export/pst-export.ts';
import { exportZip } from '../../export/zip-export.ts';
import { counted } from '../../model/counted.ts';
import { EngineError } from '../../model/engine-error.ts';
import type { ObjectKind } from '../../model/protected-object.ts';
import type { Command } from '../command.ts';
import type { Given } from '../given.ts';
import { REPOSITORY_OPTIONS } from '../open-parts.ts';
import { ITEM_OPTIONS, pickItems } from '../pick-items.ts';
import { withPresentParts } from '../present-parts.ts';
import { byteText } from '../text/byte-text.ts';

const FORMATS = ['pst', 'msg', 'eml', 'zip', 'csv', 'json'] as const;

export const exportItems: Command = {
  words: '',
  options: {
    ...REPOSITORY_OPTIONS,
    ...ITEM_OPTIONS,
    to: { type: 'string', help: 'file to write; it has its name when it is whole, and replaces one of that name' },
    format: {
      type: 'string',
      help: `${FORMATS.join(', ')} (by the ending of --to); eml or msg with --to …zip: a file for each item`,
    },
    keyword: { type: 'string', help: 'PST: items alone in whose name, people or attachments it occurs' },
    'part-gigabytes': { type: 'string', help: 'PST: a further file is begun rather than exceeding this (40)' },
  },
  examples: [
    ['--object mailbox/ada@contoso.example --to ada.pst', 'a whole mailbox, for Outlook'],
    [
      '--object mailbox/ada@contoso.example --path Inbox/Offers --to offers.zip --format eml',
      'a folder, a file a message',
    ],
    ['--object https://contoso.example/sites/shop --path Inventory --to inventory.csv', 'one list'],
    ['--object drive/ada@contoso.example --to files.zip', 'files with their folders'],
  ],
  stopped: 'A file that is not whole yet is removed.',
  run: (context) =>
    withPresentParts(context, async ({ repository, catalog }) => {
      const { given, output, signal } = context;
      const scope = await pickItems(catalog, given);
      const parts: ExportParts = {
        repository,
        catalog,
        signal,
        onProgress: ({ items, bytes, totalItems }) =>
          output.progress({
            what: `Exporting ${scope.object.name}`,
            done: items,
            total: totalItems,
            unit: 'items',
            bytes,
          }),
      };
      const result = await write(parts, scope, given).catch((error: unknown) => {
        throw exportFileError(error, given.required('to'));
      });
      for (const { id, name, path, reason } of result.missing)
        output.problem(`Missing: ${[...path, name].join(' / ')}. ${reason}`, { id, name, path, reason });
      for (const { id, name, path, reason } of result.without)
        output.say(`Without bytes: ${[...path, name].join(' / ')}: ${reason.replace(/\.$/, '')}.`, {
          id,
          name,
          path,
          reason,
        });
      for (const { id, name, path, reason } of result.changed)
        output.say(`In another form: ${[...path, name].join(' / ')}. ${reason}`, { id, name, path, reason });
      const partial =
        result.missing.length > 0
          ? ` The export is partial: ${counted(result.missing.length, 'item is', 'items are')} missing.`
          : '';
      const text = `${counted(result.items, 'item')}, ${byteText(result.bytes)}, in ${result.files.join(', ')}.${partial}`;
      if (result.renamed > 0)
        output.say(
          `${counted(result.renamed, 'name was', 'names were')} changed: a system would not accept them, or they came twice in a folder.`,
          { renamed: result.renamed },
        );
      const { items, bytes, files, renamed } = result;
      const { missing, without, changed } = result;
      output.say(text, {
        items,
        bytes,
        files,
        renamed,
        missing: missing.length,
        without: without.length,
        changed: changed.length,
      });
      return result.missing.length > 0 ? 'Warning' : 'Success';
    }),
};

/** What a ZIP contains besides the files of a drive: pages of messages, or lists as CSV and JSON. */
const ZIPS: Partial<Record<ObjectKind, typeof exportZip>> = {
  site: exportLists,
  team: exportMessageArchive,
  chats: exportMessageArchive,
};

async function write(parts: ExportParts, scope: ItemScope, given: Given): Promise<ExportResult> {
  const path = given.required('to');
  const format = given.oneOf('format', FORMATS, formatOf(path, scope.object.kind));
  const isMailZip = path.toLowerCase().endsWith('.zip') && scope.object.kind === 'mailbox';
  if (isMailZip && (format === 'zip' || format === 'eml' || format === 'msg'))
    return exportMailZip(parts, scope, path, format === 'msg' ? 'msg' : 'eml');
  if (format === 'zip') return (ZIPS[scope.object.kind] ?? exportZip)(parts, scope, path);
  if (format === 'csv' || format === 'json') return exportList(parts, scope, path, format);
  if (format === 'pst') return exportPst(parts, scope, path, pstOptions(given));
  const item = await only(parts, scope, format);
  if (format === 'eml') await exportEml(parts, item, path);
  const losses = format === 'msg' ? await exportMsg(parts, item, path) : [];
  const changed = losses.map((reason) => ({ id: item.id, name: item.name, path: [], reason }));
  return { items: 1, bytes: item.sizeBytes, files: [path], missing: [], without: [], changed, renamed: 0 };
}

function formatOf(path: string, kind: ObjectKind): (typeof FORMATS)[number] {
  const format = FORMATS.find((one) => path.toLowerCase().endsWith(`.${one}`));
  if (format !== undefined) return format;
  if (kind !== 'mailbox') return 'zip';
  throw new EngineError(
    'bad-request',
    `The ending of '${path}' does not say in which format: a mailbox is saved as .pst or as .zip with a file a message, one item as .msg, a message as .eml. Correct --to, or give --format.`,
  );
}

function pstOptions(given: Given) {
  const keyword = given.text('keyword');
  const gigabytes = given.text('part-gigabytes') === undefined ? 0 : given.count('part-gigabytes', 40, 50);
  return {
    ...(keyword === undefined ? {} : { keyword }),
    ...(gigabytes === 0 ? {} : { partSizeBytes: gigabytes * 1024 ** 3 }),
  };
}

async function only({ catalog }: ExportParts, scope: ItemScope, format: string) {
  if (scope.items?.length === 1) for await (const item of versionsIn(catalog, scope)) return item;
  throw new EngineError(
    'bad-request',
    `A file of the format ${format} contains one item: give one --item, or export as PST.`,
  );
}
