import { id, wholeNumber } from '@keepwatch/contract/wire/fields';
import * as z from 'zod/mini';
import { declareJob } from '../../foundation/jobs.ts';

/** Makes a file to be downloaded. */
export const makeDownloadJob = declareJob({
  name: 'restore.make-download',
  payload: z.object({ providerId: wholeNumber(0, 2 ** 31 - 1), downloadId: id }),
  retry: { times: 10, firstPauseSeconds: 5, longestPauseSeconds: 60 },
  concurrency: 2,
  timeLimitSeconds: 24 * 60 * 60 - 120,
  key: ({ downloadId }) => downloadId,
});
