import type { Command } from '../command.ts';
import { NO_POINT, restorePointsOf } from '../pick.ts';
import { SHOWING_OPTIONS, withShownParts } from '../present-parts.ts';

export const restorePoints: Command = {
  words: '',
  options: {
    ...SHOWING_OPTIONS,
    job: { type: 'string', help: 'of one job' },
    from: { type: 'string', help: 'finished on or after this day or instant' },
    to: { type: 'string', help: 'finished on or before this day or instant' },
    limit: { type: 'string', help: 'how many (50)' },
  },
  examples: [['--from 2026-11-01 --to 2026-11-20', 'those of three weeks']],
  run: (context) => {
    const { given, output } = context;
    const job = given.text('job');
    const { from, to } = given.period('from', 'to');
    const limit = given.count('limit', 50, 10_000, 1);
    const filter = {
      ...(job === undefined ? {} : { job }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
    return withShownParts(context, async ({ catalog }) => {
      const points = [];
      for await (const point of restorePointsOf(catalog, filter)) {
        if (points.length === limit) break;
        points.push(point);
      }
      output.rows(
        points.map(({ run, finishedAt, outcome, counts, incompleteObjects }) => ({
          finished: finishedAt,
          id: run.id,
          job: run.jobName,
          outcome,
          objects: counts.objects - counts.objectsFailed,
          failed: counts.objectsFailed || null,
          incomplete: incompleteObjects || null,
          read: counts.itemsRead,
          removed: counts.itemsRemoved,
          lost: counts.itemsLost || null,
        })),
        Object.keys(filter).length > 0
          ? 'No restore point fits. Without --job, --from and --to all are listed.'
          : NO_POINT,
      );
      return 'Success';
    });
  },
};
