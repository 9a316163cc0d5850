import type { ItemScope } from '../../browse/item-scope.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../../engine/export-formats.ts';
import type { ExportOrder } from '../../engine/run-export.ts';
import { exportItems as exportTo } from '../../engine.ts';
import { counted } from '../../model/counted.ts';
import { EngineError } from '../../model/engine-error.ts';
import type { ObjectKind } from '../../model/protected-object.ts';
import type { Command } from '../command.ts';
import { exportFileError } from '../errors/export-file-error.ts';
import type { Given } from '../given.ts';
import { REPOSITORY_OPTIONS } from '../open-parts.ts';
import { ITEM_OPTIONS, pickItems } from '../pick-items.ts';
import { withPresentParts } from '../present-parts.ts';
import { printEvents } from '../print-events.ts';
import { byteText } from '../text/byte-text.ts';

export const exportItems: Command = {
  words: '',
  options: {
    ...REPOSITORY_OPTIONS,
    ...ITEM_OPTIONS,
    to: { type: 'string', help: 'file to write; it has its name when it is whole, and replaces one of that name' },
    format: {
      type: 'string',
      help: `${EXPORT_FORMATS.join(', ')} (by the ending of --to); eml or msg with --to …zip: a file for each item`,
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
    withPresentParts(context, async (stored) => {
      const { given, output, signal } = context;
      const scope = await pickItems(stored.catalog, given);
      const { onEvent } = printEvents(output, { failed: 'Missing' });
      const result = await exportTo(stored, orderOf(scope, given), { signal, onEvent }).catch((error: unknown) => {
        throw exportFileError(error, given.required('to'));
      });
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

function orderOf(scope: ItemScope, given: Given): ExportOrder {
  const path = given.required('to');
  const format = given.oneOf('format', EXPORT_FORMATS, formatOf(path, scope.object.kind));
  const pst = pstOptions(given);
  const isMailZip = path.toLowerCase().endsWith('.zip') && scope.object.kind === 'mailbox';
  return isMailZip && (format === 'eml' || format === 'msg')
    ? { scope, path, format: 'zip', messagesAs: format }
    : { scope, path, format, pst };
}

function formatOf(path: string, kind: ObjectKind): ExportFormat {
  const format = EXPORT_FORMATS.find((one) => path.toLowerCase().endsWith(`.${one}`));
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
