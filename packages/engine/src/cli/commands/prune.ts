import { EngineError } from '../../model/engine-error.ts';
import type { PruneOptions } from '../../prune/prune-plan.ts';
import type { Command } from '../command.ts';
import type { Given } from '../given.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';
import { byteText } from '../text/byte-text.ts';

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
      help: 'days of one job, as in sales=30, instead of what its last backup said with --keep-days; may be given often',
    },
    before: { type: 'string', help: 'instead: versions that ended before this day or instant go' },
    wait: {
      type: 'string',
      help: 'minutes to wait for runs that work (10); runs that begin meanwhile wait for the prune. 0: ends at once if there is one',
    },
    'dry-run': { type: 'boolean', help: 'says what would go, and takes nothing away' },
  },
  examples: [
    ['--keep-days 365 --dry-run', 'what a retention of a year would take away'],
    ['--keep-days 365', 'takes it away'],
    ['', 'what jobs have outlived that were backed up with --keep-days'],
  ],
  run: (context) => {
    const retention = readRetention(context.given);
    const waitMs = context.given.count('wait', 10, 10_080) * 60_000;
    return withParts(context, async ({ repository, catalog }) => {
      const { given, output, signal } = context;
      const isDry = given.has('dry-run');
      const { prune: pruneRepository } = await import('../../prune/prune.ts');
      const result = await pruneRepository(repository, catalog, {
        ...retention,
        dryRun: isDry,
        waitMs,
        onWait: (message) => output.wait(`Waiting for its turn: ${message}`, { until: 'lock' }),
        signal,
        onProgress: ({ step, done, total }) =>
          output.progress({ what: step, done, total, unit: step === 'deleting' ? 'packs' : 'items' }),
      });
      const [verb, freed, packs] = isDry
        ? ['would go', 'would be freed', result.packsRetired]
        : ['are gone', 'freed', result.packsDeleted];
      const size = byteText(Math.max(0, result.bytesFreed));
      const text = `${result.versions.toLocaleString('en')} item versions, ${result.restorePoints} restore points and ${packs} packs ${verb}; ${size} ${freed}.`;
      output.say(text, { ...result, dryRun: isDry });
      const { packsRetained, retainedUntil } = result;
      if (retainedUntil !== null)
        output.say(
          `${packsRetained} packs are locked against deletion, the last until ${retainedUntil.toISOString()}: a prune after that takes them away.`,
          { packsRetained, retainedUntil },
        );
      return 'Success';
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
