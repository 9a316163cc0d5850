import { backUp } from '../../backup/backup.ts';
import { indexWords } from '../../search/index-words.ts';
import type { Command } from '../command.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import { openGivenSource, TENANT_OPTIONS } from '../open-source.ts';
import { byteText } from '../output.ts';
import { readSelection, SELECTION_OPTIONS } from '../source-options.ts';

export const backup: Command = {
  name: 'backup',
  words: '',
  summary: 'Reads what changed in an organization and makes a restore point.',
  options: {
    ...REPOSITORY_OPTIONS,
    ...TENANT_OPTIONS,
    ...SELECTION_OPTIONS,
    job: { type: 'string', help: 'name under which restore points are listed (default)' },
    'objects-at-once': { type: 'string', help: 'mailboxes, drives, sites and teams read side by side (4)' },
  },
  run: (context) =>
    withParts(context, async ({ repository, catalog }) => {
      const { given, output, signal } = context;
      const source = await openGivenSource(context);
      const job = given.text('job') ?? 'default';
      try {
        const result = await backUp(
          {
            repository,
            catalog,
            source,
            signal,
            objectsAtOnce: Math.max(1, given.count('objects-at-once', 4, 64)),
            onProgress: ({ objectNames, itemsRead, bytesRead }) =>
              output.progress({
                what: objectNames.join(', ').slice(0, 60),
                done: itemsRead,
                total: null,
                unit: 'items',
                bytes: bytesRead,
              }),
          },
          { id: job, name: job, selection: readSelection(given) },
        );
        for (const { objectName, message } of result.findings.failures)
          output.problem(`${objectName ?? 'The run'}: ${message}`, { objectName });
        for (const { objectName, name, reason } of result.findings.lost)
          output.problem(`${objectName}: '${name}' could not be read. ${reason}`, { objectName, name });
        await indexWords(repository, catalog, {
          signal,
          onProgress: (done, total) => output.progress({ what: 'Indexing', done, total, unit: 'items' }),
        });
        const { counts } = result;
        const text = `${result.outcome}: ${counts.objects} objects, ${counts.itemsRead} items read, ${counts.itemsRemoved} removed, ${counts.itemsLost} lost; ${byteText(counts.bytesRead)} read, ${byteText(counts.bytesStored)} stored. Restore point ${result.run}.`;
        output.say(text, { outcome: result.outcome, run: result.run, ...counts });
        return result.outcome;
      } finally {
        await source.close();
      }
    }),
};
