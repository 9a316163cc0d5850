import type { Command } from '../command.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';

export const rebuild: Command = {
  words: '',
  options: REPOSITORY_OPTIONS,
  run: (context) =>
    withParts(context, async ({ repository, catalog }) => {
      const { output, signal } = context;
      const [{ rebuild: rebuildCatalog }, { indexWords }] = await Promise.all([
        import('../../rebuild/rebuild.ts'),
        import('../../search/index-words.ts'),
      ]);
      const result = await rebuildCatalog(repository, catalog, {
        signal,
        onProgress: ({ commits }) =>
          output.progress({ what: 'Rebuilding', done: commits, total: null, unit: 'commits' }),
      });
      const text = `The catalog was made anew from ${result.runs} runs with ${result.commits} commits: ${result.restorePoints} restore points.`;
      output.say(text, { ...result });
      await indexWords(repository, catalog, {
        signal,
        onProgress: (done, total) => output.progress({ what: 'Making texts searchable', done, total, unit: 'items' }),
      });
      return 'Success';
    }),
};
