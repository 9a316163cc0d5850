import type { ItemVersion } from '../../model/items.ts';
import type { Command } from '../command.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import { PICK_OPTIONS, pickObject, pickRestorePoint } from '../pick.ts';

const SORTS = ['name', '-name', 'date', '-date', 'size', '-size'] as const;

export const browse: Command = {
  name: 'browse',
  words: '',
  summary: 'Lists what a folder held at a restore point.',
  options: {
    ...REPOSITORY_OPTIONS,
    ...PICK_OPTIONS,
    folder: { type: 'string', help: 'id of the folder (default: the top)' },
    deleted: { type: 'boolean', help: 'also what earlier restore points hold and this one no longer has' },
    sort: { type: 'string', help: `${SORTS.join(', ')} (name)` },
    limit: { type: 'string', help: 'rows (100)' },
    after: { type: 'string', help: 'cursor of the page before' },
  },
  run: (context) =>
    withParts(context, async ({ catalog }) => {
      const { given, output } = context;
      const point = await pickRestorePoint(catalog, given);
      const { object, revision } = await pickObject(catalog, point, given);
      const after = given.text('after');
      const { rows, next } = await catalog.browse({
        object: object.key,
        revision,
        parentId: given.text('folder') ?? null,
        showDeleted: given.has('deleted'),
        sort: given.oneOf('sort', SORTS, 'name'),
        limit: given.count('limit', 100, 1_000),
        ...(after === undefined ? {} : { after }),
      });
      output.rows(rows.map((row) => shown(row, revision)));
      if (next !== null) output.say(`More: --after ${next}`, { next });
      return 'Success';
    }),
};

function shown({ kind, name, sizeBytes, modifiedAt, details, id, lastRevision }: ItemVersion, revision: number) {
  const isDeleted = lastRevision !== null && lastRevision < revision;
  return {
    kind,
    name,
    from: details.from,
    date: details.receivedAt ?? modifiedAt,
    bytes: sizeBytes,
    deleted: isDeleted ? 'yes' : '',
    id,
  };
}
