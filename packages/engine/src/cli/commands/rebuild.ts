import { rebuild as rebuildCatalog } from '../../rebuild/rebuild.ts';
import type { Command } from '../command.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';

export const rebuild: Command = {
  name: 'rebuild',
  words: '',
  summary: 'Makes the catalog anew from the repository alone, when the database was lost.',
  options: REPOSITORY_OPTIONS,
  run: (context) =>
    withParts(context, async ({ repository, catalog }) => {
      const { output, signal } = context;
      const result = await rebuildCatalog(repository, catalog, {
        signal,
        onProgress: ({ commits }) =>
          output.progress({ what: 'Rebuilding', done: commits, total: null, unit: 'commits' }),
      });
      output.say(`${result.runs} runs with ${result.commits} commits and ${result.restorePoints} restore points.`, {
        ...result,
      });
      return 'Success';
    }),
};
