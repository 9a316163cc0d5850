import { prune as pruneRepository } from '../../engine.ts';
import { counted } from '../../model/counted.ts';
import { EngineError } from '../../model/engine-error.ts';
import type { PruneOptions } from '../../prune/prune-plan.ts';
import type { Command } from '../command.ts';
import type { Given } from '../given.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import { printEvents } from '../print-events.ts';
import { byteText } from '../text/byte-text.ts';
import { instantText } from '../text/instant.ts';

export const prune: Command = {
  words: '',
  options: {
    ...REPOSITORY_OPTIONS,
    'keep-days': {
      type: 'string',
      help: 'days that an item version is retained after it was replaced or deleted, counted back from the newest restore point; every object stays in its newest one',
    },
    'keep-job': {
      type: 'string',
      help: 'days of one job, as in sales=30, instead of what its backups said with --keep-days; <organization>/sales=30 where several have one; may be given often',
    },
    before: { type: 'string', help: 'instead: versions that ended before this day or instant go' },
    wait: {
      type: 'string',
      help: 'minutes to wait for runs that work (10); runs that begin meanwhile wait for the prune. 0: ends at once if there is one',
    },
    'dry-run': { type: 'boolean', help: 'says what would be deleted, and deletes nothing' },
  },
  examples: [
    ['--keep-days 365 --dry-run', 'what a retention of a year would delete'],
    ['--keep-days 365', 'deletes it'],
    ['', 'what is older than the --keep-days of its job'],
  ],
  run: (context) => {
    const retention = readRetention(context.given);
    const waitMs = context.given.count('wait', 10, 10_080) * 60_000;
    return withParts(context, async (stored) => {
      const { given, output, signal } = context;
      const isDry = given.has('dry-run');
      const { onEvent } = printEvents(output, { lockWait: 'Waiting for its turn' });
      const result = await pruneRepository(stored, { ...retention, dryRun: isDry, waitMs }, { signal, onEvent });
      const [verb, freed, packs] = isDry
        ? ['would be deleted', 'would be freed', result.packsRetired]
        : ['were deleted', 'freed', result.packsDeleted];
      const size = byteText(Math.max(0, result.bytesFreed));
      const text = `${counted(result.versions, 'item version')}, ${counted(result.restorePoints, 'restore point')} and ${counted(packs, 'pack')} ${verb}; ${size} ${freed}.`;
      output.say(text, { ...result, dryRun: isDry });
      const { packsRetained, retainedUntil } = result;
      if (retainedUntil !== null)
        output.say(
          `${counted(packsRetained, 'pack is', 'packs are')} locked against deletion, the last until ${instantText(retainedUntil)}: a prune after that deletes them.`,
          { packsRetained, retainedUntil },
        );
      const { erasureLeft } = result;
      if (erasureLeft !== null) output.problem(erasureLeft, { code: 'erasure-left', erasureLeft });
      return erasureLeft === null ? 'Success' : 'Warning';
    });
  },
};

function readRetention(given: Given): Partial<PruneOptions> {
  const keepDaysOf = new Map(given.all('keep-job').map(readJobDays));
  const before = given.instant('before');
  const days = given.text('keep-days');
  if (before !== undefined && days !== undefined)
    throw new EngineError('bad-request', 'Give either --keep-days or --before.');
  if (before !== undefined) return { before, keepDaysOf };
  return days === undefined ? { keepDaysOf } : { keepDays: given.count('keep-days', 0, 36_500), keepDaysOf };
}

function readJobDays(text: string): [job: string, days: number] {
  const [, job = '', days = ''] = /^(.+)=(\d{1,5})$/.exec(text) ?? [];
  if (job !== '') return [job, Number(days)];
  throw new EngineError('bad-request', `--keep-job is '${text}', but must be a job and its days, such as sales=30.`);
}
