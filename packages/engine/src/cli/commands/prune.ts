import { EngineError } from '../../model/engine-error.ts';
import { prune as pruneRepository } from '../../prune/prune.ts';
import type { Command, Given } from '../command.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import { byteText } from '../output.ts';

export const prune: Command = {
  name: 'prune',
  words: '',
  summary: 'Takes away what is older than retention asks for. What is current always stays.',
  options: {
    ...REPOSITORY_OPTIONS,
    'keep-days': { type: 'string', help: 'days that an item version is kept after it was replaced or deleted' },
    before: { type: 'string', help: 'instead: versions that ended before this day or instant go' },
    'dry-run': { type: 'boolean', help: 'says what would go' },
  },
  run: (context) =>
    withParts(context, async ({ repository, catalog }) => {
      const { given, output, signal } = context;
      const isDry = given.has('dry-run');
      const result = await pruneRepository(repository, catalog, {
        before: readBefore(given),
        dryRun: isDry,
        signal,
        onProgress: ({ step, done, total }) =>
          output.progress({ what: step, done, total, unit: step === 'deleting' ? 'packs' : 'items' }),
      });
      const verb = isDry ? 'would go' : 'are gone';
      const text = `${result.versions} item versions and ${result.restorePoints} restore points ${verb}; ${byteText(Math.max(0, result.bytesFreed))} freed, ${result.packsDeleted} packs deleted.`;
      output.say(text, { ...result, dryRun: isDry });
      return 'Success';
    }),
};

const DAY_MS = 86_400_000;

function readBefore(given: Given): Date {
  const before = given.instant('before');
  if (before !== undefined) return before;
  if (given.text('keep-days') === undefined)
    throw new EngineError('bad-request', 'Say what to keep: --keep-days <days>, or --before <date>.');
  return new Date(Date.now() - given.count('keep-days', 0, 36_500) * DAY_MS);
}
