import { indexTexts, rebuild as rebuildCatalog } from '../../engine.ts';
import { counted } from '../../model/counted.ts';
import { missingPacksText } from '../../model/missing-packs-text.ts';
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
      const { doubled, lost, itemsToRead, missingPacks, ...result } = await rebuildCatalog(
        stored,
        { acceptLoss: given.has('accept-loss') },
        work,
      );
      for (const { run, fault } of lost)
        output.problem(`Journal of run ${run}: ${fault}.`, { code: 'damaged', run, fault });
      if (lost.length > 0)
        output.problem(
          `What is lost was accepted: no verify and no other rebuild reports it again. The next backup reads all of the objects that lack it${itemsToRead === 0 ? '' : `, and ${counted(itemsToRead, 'item')} of others whose bytes are lost with it`}. Until then 'restore-points' and 'objects' show them as incomplete.`,
          { code: 'accepted', itemsToRead },
        );
      if (missingPacks > 0)
        output.problem(
          `${missingPacksText(missingPacks, 'the store')}${itemsToRead === 0 ? '' : ` The next backup reads ${counted(itemsToRead, 'item')} again.`} 'verify' names what cannot be brought back.`,
          { code: 'damaged', missingPacks, itemsToRead },
        );
      reportDoubledRevisions(doubled, output);
      const text = `The catalog was rebuilt from ${counted(result.runs, 'run')} with ${counted(result.commits, 'commit')}: ${counted(result.restorePoints, 'restore point')}.`;
      output.say(text, { ...result, itemsToRead });
      await indexTexts(stored, work);
      return lost.length + doubled.length + missingPacks === 0 ? 'Success' : 'Warning';
    }),
};
