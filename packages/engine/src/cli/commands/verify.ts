import { verify as verifyRepository } from '../../engine.ts';
import { counted } from '../../model/counted.ts';
import type { VerifyResult } from '../../verify/verify.ts';
import type { Command } from '../command.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import type { Output } from '../output.ts';
import { printEvents } from '../print-events.ts';

export const verify: Command = {
  words: '',
  options: {
    ...REPOSITORY_OPTIONS,
    'no-lock': {
      type: 'boolean',
      help: 'of a copy that may only be read: writes nothing there. Beside a prune packs would look lost',
    },
    full: { type: 'boolean', help: 'reads every byte (default: every pack is there, one in fifty is read)' },
  },
  examples: [
    ['', 'every pack and journal is there; weekly'],
    ['--full', 'reads every byte; now and then'],
    ['--full --no-lock -r /mnt/copy --database postgres://…/copy', 'a copy on a disk that may only be read'],
  ],
  stopped: 'What was found so far is not marked: verify again.',
  run: (context) =>
    withParts(context, async (stored) => {
      const { given, output, signal } = context;
      const order = { depth: given.has('full') ? 'full' : 'quick', noLock: given.has('no-lock') } as const;
      const {
        packFaults,
        journalFaults,
        damagedItems,
        objectsInWork,
        mismatch,
        locks,
        accepted,
        strangers,
        ...counts
      } = await verifyRepository(stored, order, { signal, onEvent: printEvents(output).onEvent });
      if (locks !== null && locks.unlocked > 0)
        output.problem(
          `${counted(locks.unlocked, 'object in use is', 'objects in use are')} no longer locked against deletion. The next backup locks them again.`,
          { code: 'unlocked', unlocked: locks.unlocked },
        );
      if (mismatch !== null) output.problem(`${mismatch} Nothing was marked.`, { code: 'damaged' });
      for (const { pack, fault } of packFaults)
        output.problem(`Pack ${pack}: ${fault}.`, { code: 'damaged', pack, fault });
      for (const { run, fault } of journalFaults)
        output.problem(`Journal of run ${run}: ${fault}.`, { code: 'damaged', run, fault });
      if (journalFaults.length > 0)
        output.problem(
          "Bring the journals back from a copy of the repository; until then do not lose the catalog, which still knows what they said. If there is no copy, 'rebuild --accept-loss' goes on without them.",
          { code: 'advice' },
        );
      if (damagedItems.length > 0)
        output.rows(
          damagedItems.map(({ object, version }) => ({
            object: object.name,
            kind: version.kind,
            name: version.name,
            revisions: `${version.firstRevision} to ${version.lastRevision ?? 'now'}`,
            id: version.id,
          })),
        );
      for (const name of objectsInWork)
        output.problem(`Another run works on ${name}: verify again, so that its items are read again.`, {
          code: 'locked',
          object: name,
        });
      const faults = packFaults.length + journalFaults.length + (mismatch === null ? 0 : 1) + (locks?.unlocked ? 1 : 0);
      const said = faults === 0 ? 'no fault found' : counted(faults, 'fault');
      const harm =
        damagedItems.length === 0
          ? `Every item can be brought back${given.has('full') ? '' : ', as far as was read'}`
          : `${counted(damagedItems.length, 'item version')} cannot be brought back whole`;
      const next =
        counts.itemsToRead === 0
          ? ''
          : ` The next backup reads ${counted(counts.itemsToRead, 'current item')} again, as far as the source still has them.`;
      output.say(
        `${counted(counts.packs, 'pack')}, ${counts.packsRead} of them read whole: ${said}. ${harm}.${next}${acceptedText(accepted)}`,
        {
          ...counts,
          accepted,
          packFaults: packFaults.length,
          journalFaults: journalFaults.length,
          damagedItems: damagedItems.length,
        },
      );
      reportStrangers(strangers, output);
      if (damagedItems.length > 0) return 'Failed';
      return faults === 0 ? 'Success' : 'Warning';
    }),
};

/** A person reads no more than these; programs get those of the result. */
const STRANGERS_SHOWN = 20;

/** What a synchronizer, a viewer or a person left: no fault, and worth knowing. */
function reportStrangers({ count, names }: VerifyResult['strangers'], output: Output): void {
  if (count === 0) return;
  const shown = names.slice(0, STRANGERS_SHOWN).map((name) => `'${name}'`);
  const more = count > shown.length ? ` and ${(count - shown.length).toLocaleString('en')} more` : '';
  const said = counted(count, 'file in its folders does not', 'files in its folders do not');
  const text = `${said} belong to the repository: ${shown.join(', ')}${more}. They do no harm, and stay.`;
  output.say(text, { strangers: count, names });
}

/** What is lost for good and was accepted: not a fault, but never forgotten. */
function acceptedText({ commits, packs, itemVersions }: VerifyResult['accepted']): string {
  const parts = [
    commits > 0 ? counted(commits, 'commit') : '',
    packs > 0 ? counted(packs, 'pack') : '',
    itemVersions > 0 ? counted(itemVersions, 'earlier item version') : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` Accepted as lost: ${parts.join(', ')}.`;
}
