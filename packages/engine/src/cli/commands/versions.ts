import type { Command } from '../command.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import { PICK_OPTIONS, pickObject, pickRestorePoint } from '../pick.ts';

export const versions: Command = {
  name: 'versions',
  words: '',
  summary: 'Lists every stored version of an item, newest first.',
  options: { ...REPOSITORY_OPTIONS, ...PICK_OPTIONS, item: { type: 'string', help: 'id of the item' } },
  run: (context) =>
    withParts(context, async ({ catalog }) => {
      const { given, output } = context;
      const { object } = await pickObject(catalog, await pickRestorePoint(catalog, given), given);
      const all = await catalog.versionsOf(object.key, given.required('item'));
      output.rows(
        all.map(({ firstRevision, lastRevision, endedAt, name, sizeBytes, modifiedAt }) => ({
          from: firstRevision,
          to: lastRevision ?? 'now',
          ended: endedAt,
          name,
          bytes: sizeBytes,
          modified: modifiedAt,
        })),
      );
      return 'Success';
    }),
};
