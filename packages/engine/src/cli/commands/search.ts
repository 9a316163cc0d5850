import { ITEM_KINDS } from '../../model/items.ts';
import type { Command } from '../command.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import { PICK_OPTIONS, pickObject, pickRestorePoint } from '../pick.ts';

export const search: Command = {
  name: 'search',
  words: '<words>',
  summary: 'Finds items by words in subject, people, file name or text, over all of time or at a restore point.',
  options: {
    ...REPOSITORY_OPTIONS,
    ...PICK_OPTIONS,
    from: { type: 'string', help: 'sender' },
    to: { type: 'string', help: 'recipient' },
    subject: { type: 'string', help: 'words of the subject' },
    file: { type: 'string', help: 'words of the file name' },
    kind: { type: 'string', help: `one of ${ITEM_KINDS.join(', ')}; may be given often` },
    since: { type: 'string', help: 'dated at or after' },
    until: { type: 'string', help: 'dated before' },
    limit: { type: 'string', help: 'hits (50)' },
    after: { type: 'string', help: 'cursor of the page before' },
  },
  run: (context) =>
    withParts(context, async ({ catalog }) => {
      const { given, output } = context;
      const point = given.text('restore-point') === undefined ? null : await pickRestorePoint(catalog, given);
      const object =
        given.text('object') === undefined
          ? null
          : await pickObject(catalog, await pickRestorePoint(catalog, given), given);
      const text = (name: 'from' | 'to' | 'subject') =>
        given.text(name) === undefined ? {} : { [name]: given.text(name) };
      const [after, dateFrom, dateTo, fileName] = [
        given.text('after'),
        given.instant('since'),
        given.instant('until'),
        given.text('file'),
      ];
      const hits = await catalog.search({
        ...(given.words.length === 0 ? {} : { text: given.words.join(' ') }),
        ...text('from'),
        ...text('to'),
        ...text('subject'),
        ...(fileName === undefined ? {} : { fileName }),
        ...(given.all('kind').length === 0
          ? {}
          : { kinds: ITEM_KINDS.filter((kind) => given.all('kind').includes(kind)) }),
        ...(dateFrom === undefined ? {} : { dateFrom }),
        ...(dateTo === undefined ? {} : { dateTo }),
        ...(point === null ? {} : { restorePoint: point.run.id }),
        ...(object === null ? {} : { objects: [object.object.key] }),
        ...(after === undefined ? {} : { after }),
        limit: given.count('limit', 50, 1_000),
      });
      output.rows(
        hits.map(({ object: of, version, path, cursor }) => ({
          object: of.name,
          path: path.join(' / '),
          kind: version.kind,
          name: version.name,
          from: version.details.from,
          date: version.details.receivedAt ?? version.modifiedAt,
          id: version.id,
          cursor,
        })),
      );
      const waiting = await catalog.countUnindexed();
      if (waiting > 0)
        output.say(`The text of ${waiting} items is not searchable yet; their names and people are.`, {
          unindexed: waiting,
        });
      return 'Success';
    }),
};
