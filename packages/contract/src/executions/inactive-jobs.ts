import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { id, instantInBody } from '../wire/fields.ts';
import { done } from '../wire/replies.ts';

const ignoreParams = z.strictObject({ jobInstanceUid: id });
const ignoreFailure = 'Error while trying to add the job to the ignore, try again later.';

export const ignoreDidntRun = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/jobs/didnt-run/{jobInstanceUid}/ignore',
  access: 'monitoring.job-actions',
  audit: 'job.ignore-didnt-run',
  params: ignoreParams,
  body: z.strictObject({ ignoredUntil: z.optional(instantInBody) }),
  ...done,
  failure: ignoreFailure,
  summary: 'Leaves a job out of "didn\'t run", until a date or for good.',
});

export const unignoreDidntRun = declareCall({
  method: 'DELETE',
  path: '/monitoring/backoffice/jobs/didnt-run/{jobInstanceUid}/ignore',
  access: 'monitoring.job-actions',
  audit: 'job.unignore-didnt-run',
  params: ignoreParams,
  ...done,
  failure: ignoreFailure,
  summary: 'Shows the job under "didn\'t run" again.',
});

export const ignoreDisabled = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/jobs/disabled/{jobInstanceUid}/ignore',
  access: 'monitoring.job-actions',
  audit: 'job.ignore-disabled',
  params: ignoreParams,
  body: z.strictObject({ ignoredUntil: z.optional(instantInBody) }),
  ...done,
  failure: ignoreFailure,
  summary: 'Leaves a job out of the disabled ones.',
});

export const unignoreDisabled = declareCall({
  method: 'DELETE',
  path: '/monitoring/backoffice/jobs/disabled/{jobInstanceUid}/ignore',
  access: 'monitoring.job-actions',
  audit: 'job.unignore-disabled',
  params: ignoreParams,
  ...done,
  failure: ignoreFailure,
  summary: 'Shows the job among the disabled ones again.',
});
