import type { RepositoryCatalog } from '../../catalog/catalog.ts';
import { EngineError } from '../../model/engine-error.ts';
import { CONTAINER_KINDS, type ItemVersion } from '../../model/items.ts';
import type { Command } from '../command.ts';
import { folderAtPath } from '../folder-at-path.ts';
import type { Given } from '../given.ts';
import { ID_OPTIONS } from '../open-parts.ts';
import { PICK_OPTIONS, pickObject, pickRestorePoint } from '../pick.ts';
import { SHOWING_OPTIONS, withShownParts } from '../present-parts.ts';

const SORTS = ['name', '-name', 'date', '-date', 'size', '-size'] as const;

export const browse: Command = {
  words: '',
  options: {
    ...SHOWING_OPTIONS,
    ...PICK_OPTIONS,
    path: {
      type: 'string',
      help: 'names of the folders down to the one to look into: Inbox/Offers (default: the top)',
    },
    folder: { type: 'string', help: 'instead: its id' },
    deleted: { type: 'boolean', help: 'also what earlier restore points hold and this one no longer has' },
    sort: { type: 'string', help: `${SORTS.join(', ')} (name)` },
    limit: { type: 'string', help: 'rows (100)' },
    after: { type: 'string', help: 'cursor of the page before' },
    ...ID_OPTIONS,
  },
  examples: [
    ['--object ada@contoso.example', 'the folders of a mailbox'],
    [
      '--object ada@contoso.example --path Inbox/Offers --sort -date --at 2026-11-20',
      'its newest messages of that day',
    ],
  ],
  run: (context) => {
    const { given, output } = context;
    const after = given.text('after');
    const page = {
      showDeleted: given.has('deleted'),
      sort: given.oneOf('sort', SORTS, 'name'),
      limit: given.count('limit', 100, 1_000, 1),
      ...(after === undefined ? {} : { after }),
    };
    return withShownParts(context, async ({ catalog }) => {
      const point = await pickRestorePoint(catalog, given);
      const { object, revision } = await pickObject(catalog, point, given);
      const parentId = await folderOf(catalog, object.key, revision, given);
      const { rows, next } = await catalog.browse({ object: object.key, revision, parentId, ...page });
      output.rows(
        rows.map((row) => shown(row, revision)),
        after === undefined
          ? 'There was nothing in it at this restore point. --deleted shows what was in it before.'
          : 'That was the last page.',
      );
      if (next !== null) output.say(`There is more: --after ${next}`, { next });
      return 'Success';
    });
  },
};

async function folderOf(
  catalog: RepositoryCatalog,
  object: string,
  revision: number,
  given: Given,
): Promise<string | null> {
  const [folder, path] = [given.text('folder'), given.text('path')];
  if (folder !== undefined && path !== undefined)
    throw new EngineError('bad-request', 'Give either --folder or --path.');
  if (folder === undefined) return folderAtPath(catalog, object, revision, path ?? '');
  if ((await catalog.versionsOf(object, folder)).length > 0) return folder;
  throw new EngineError('not-found', `There is no folder with the id '${folder}'. 'browse --ids' lists them.`);
}

function shown({ kind, name, sizeBytes, modifiedAt, details, id, lastRevision }: ItemVersion, revision: number) {
  const isDeleted = lastRevision !== null && lastRevision < revision;
  return {
    kind,
    name: name === '' ? '(without a name)' : name,
    from: details.from,
    date: details.receivedAt === undefined ? modifiedAt : new Date(details.receivedAt),
    bytes: CONTAINER_KINDS.has(kind) ? null : sizeBytes,
    deleted: isDeleted ? 'yes' : null,
    id,
  };
}
