import { indexTexts, rebuild as rebuildCatalog } from '../../engine.ts';
import type { Command } from '../command.ts';
import { reportDoubledRevisions } from '../findings.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import { printEvents } from '../print-events.ts';

export const rebuild: Command = {
  words: '',
  options: {
    ...REPOSITORY_OPTIONS,
    'accept-loss': { type: 'boolean', help: 'goes on without journals that are lost, and names what builds on them' },
  },
  examples: [
    ['', 'after the database was lost'],
    ['--accept-loss', 'goes on without journals that no copy has'],
  ],
  stopped: 'A catalog that is not whole yet is dropped, and the one before it stays as it is.',
  run: (context) =>
    withParts(context, async (stored) => {
      const { given, output, signal } = context;
      const work = { signal, onEvent: printEvents(output).onEvent };
      const { doubled, lost, ...result } = await rebuildCatalog(stored, { acceptLoss: given.has('accept-loss') }, work);
      for (const { run, fault } of lost)
        output.problem(`Journal of run ${run}: ${fault}.`, { code: 'damaged', run, fault });
      reportDoubledRevisions(doubled, output);
      const text = `The catalog was rebuilt from ${result.runs} runs with ${result.commits} commits: ${result.restorePoints} restore points.`;
      output.say(text, { ...result });
      await indexTexts(stored, work);
      return lost.length + doubled.length === 0 ? 'Success' : 'Warning';
    }),
};
