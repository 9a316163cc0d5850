import type { Command } from '../command.ts';
import { OUTPUT_OPTIONS } from '../open-parts.ts';
import { openGivenSource, TENANT_OPTIONS } from '../open-source.ts';
import { readSelection, SELECTION_OPTIONS } from '../source-options.ts';

export const tenantObjects: Command = {
  words: '',
  options: { ...TENANT_OPTIONS, ...SELECTION_OPTIONS, ...OUTPUT_OPTIONS },
  examples: [['--include group:sales@contoso.example', 'what a backup with the same selection would read']],
  async run(context) {
    const { given, output, signal } = context;
    const selection = readSelection(given);
    const source = await openGivenSource(context);
    const rows = [];
    for await (const found of source.listObjects(selection, signal)) {
      if ('code' in found) {
        // Of all that are not known a note says that there are some.
        if (found.unknown === undefined) output.problem(found.message, { code: found.code });
        continue;
      }
      const { kind, name, address, id } = found;
      rows.push({ kind, name, address, id });
      output.progress({ what: name, done: rows.length, total: null, unit: 'objects' });
    }
    await source.close();
    output.rows(rows, 'The selection covers no object. Without --include all are listed.');
    return 'Success';
  },
};
