import type { Command } from '../command.ts';
import { REPOSITORY_OPTIONS, withParts } from '../open-parts.ts';

export const restorePoints: Command = {
  name: 'restore-points',
  words: '',
  summary: 'Lists what can be gone back to, newest first.',
  options: {
    ...REPOSITORY_OPTIONS,
    job: { type: 'string', help: 'of one job' },
    from: { type: 'string', help: 'finished at or after this day or instant' },
    to: { type: 'string', help: 'finished before' },
    limit: { type: 'string', help: 'how many (50)' },
  },
  run: (context) =>
    withParts(context, async ({ catalog }) => {
      const { given, output } = context;
      const job = given.text('job');
      const from = given.instant('from');
      const to = given.instant('to');
      const points = await catalog.listRestorePoints({
        ...(job === undefined ? {} : { job }),
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
        limit: given.count('limit', 50, 10_000),
        offset: 0,
      });
      output.rows(
        points.map(({ run, finishedAt, outcome, counts }) => ({
          id: run.id,
          job: run.jobName,
          finished: finishedAt,
          outcome,
          objects: counts.objects,
          read: counts.itemsRead,
          removed: counts.itemsRemoved,
          lost: counts.itemsLost,
        })),
      );
      return 'Success';
    }),
};
