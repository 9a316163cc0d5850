import { EngineError } from '../../model/engine-error.ts';
import type { Command } from '../command.ts';
import { PICK_OPTIONS, pickObject, pickRestorePoint } from '../pick.ts';
import { SHOWING_OPTIONS, withShownParts } from '../present-parts.ts';

export const versions: Command = {
  words: '',
  options: {
    ...SHOWING_OPTIONS,
    ...PICK_OPTIONS,
    item: { type: 'string', help: "id of the item ('browse --ids')" },
  },
  examples: [['--object mailbox/ada@contoso.example --item AAMkAD…', 'every version of one item, the newest first']],
  run: (context) =>
    withShownParts(context, async ({ catalog }) => {
      const { given, output } = context;
      const item = given.required('item');
      const { object } = await pickObject(catalog, await pickRestorePoint(catalog, given), given);
      const all = await catalog.versionsOf(object.key, item);
      if (all.length === 0)
        throw new EngineError(
          'not-found',
          `'${object.name}' never had an item with the id '${item}'. 'browse --ids' lists them.`,
        );
      output.rows(
        all.map(({ firstRevision, lastRevision, endedAt, name, sizeBytes, modifiedAt }) => ({
          name,
          modified: modifiedAt,
          bytes: sizeBytes,
          from: firstRevision,
          to: lastRevision ?? 'now',
          ended: endedAt,
        })),
      );
      return 'Success';
    }),
};
