import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { execute } from '../foundation/database.ts';
import { declareJob, type JobWork, work } from '../foundation/jobs.ts';

/** Months for which partitions are created in advance. */
const MONTHS_AHEAD = 3;

const createPartitionsJob = declareJob({
  name: 'runs.create-partitions',
  payload: z.object({}),
  cron: '17 2 * * *',
  concurrency: 1,
  timeLimitSeconds: 55,
});

export const runJobs: JobWork[] = [
  work(createPartitionsJob, async ({ database, now }) => {
    await execute(
      database,
      sql`select keep_month((date_trunc('month', ${now()}::timestamptz) + make_interval(months => n))::date) from generate_series(0, ${MONTHS_AHEAD}) as n`,
    );
  }),
];
