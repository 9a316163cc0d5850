import { id, wholeNumber } from '@keepwatch/contract/wire/fields';
import * as z from 'zod/mini';
import { declareJob } from '../../foundation/jobs.ts';

/** Does a restore or a plan. One whose worker died is done again, and goes on by its journal. */
export const runRestoreJob = declareJob({
  name: 'restore.run',
  payload: z.object({ providerId: wholeNumber(0, 2 ** 31 - 1), operationId: id, target: z.optional(z.string()) }),
  retry: { times: 20, firstPauseSeconds: 5, longestPauseSeconds: 60 },
  concurrency: 4,
  timeLimitSeconds: 24 * 60 * 60 - 120,
  key: ({ operationId }) => operationId,
  group: ({ operationId, target }) => target ?? operationId,
});
