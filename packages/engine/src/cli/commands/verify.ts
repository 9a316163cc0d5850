import { verify as verifyRepository } from '../../verify/verify.ts';
import type { Command } from '../command.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';

export const verify: Command = {
  name: 'verify',
  words: '',
  summary: 'Checks that what was backed up can be brought back, and names every item that cannot.',
  options: {
    ...REPOSITORY_OPTIONS,
    full: { type: 'boolean', help: 'reads every byte (default: every pack is there, one in fifty is read)' },
  },
  run: (context) =>
    withParts(context, async ({ repository, catalog }) => {
      const { given, output, signal } = context;
      const result = await verifyRepository(repository, catalog, {
        depth: given.has('full') ? 'full' : 'quick',
        signal,
        onProgress: ({ packsDone, packs, bytesRead }) =>
          output.progress({ what: 'Verifying', done: packsDone, total: packs, unit: 'packs', bytes: bytesRead }),
      });
      for (const { pack, fault } of result.packFaults) output.problem(`Pack ${pack}: ${fault}.`, { pack, fault });
      output.rows(
        result.damagedItems.map(({ object, version }) => ({
          object: object.name,
          kind: version.kind,
          name: version.name,
          id: version.id,
          revisions: `${version.firstRevision} to ${version.lastRevision ?? 'now'}`,
        })),
      );
      const { damagedItems, packFaults: _, ...counts } = result;
      const text = `${result.packs} packs, ${result.packsRead} read; ${damagedItems.length} item versions cannot be brought back whole.`;
      output.say(text, { ...counts, damagedItems: damagedItems.length });
      return result.packFaults.length === 0 ? 'Success' : damagedItems.length === 0 ? 'Warning' : 'Failed';
    }),
};
