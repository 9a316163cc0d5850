import {
  editJobExecution,
  editJobExecutions,
  exportJobExecutions,
  getJobExecution,
  ignoreDidntRun,
  ignoreDisabled,
  listJobExecutions,
  unignoreDidntRun,
  unignoreDisabled,
} from '@keepwatch/contract/monitoring/job-executions';
import { record } from '../../audit/audit.ts';
import { notFound } from '../../foundation/errors.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { editExecution, editExecutions } from './edit-executions.ts';
import { findExecutionDetail } from './execution-detail.ts';
import { exportExecutions, exportFileName } from './execution-export.ts';
import { listExecutions } from './job-executions.ts';
import { leaveOut, showAgain } from './job-ignores.ts';
import { rangeOrLastDays } from './report-range.ts';

const DAYS_DEFAULT = 2;

export const executionCalls: Route[] = [
  answer(listJobExecutions, async ({ database, scope, now }, { query }) => {
    const { from, to } = rangeOrLastDays(query, now(), DAYS_DEFAULT);
    const list = await listExecutions(database, scope, { ...query, from, to });
    return { ...list, query: { limit: query.limit, offset: query.offset, from, to } };
  }),

  answer(getJobExecution, async ({ database, scope }, { params }) => {
    const execution = await findExecutionDetail(database, scope, params.id);
    if (execution === null) throw notFound('job execution');
    return { data: execution };
  }),

  answer(editJobExecution, async (context, { params, body }) => ({
    data: await editExecution(context, params.id, body),
  })),
  answer(editJobExecutions, (context, { body }) => editExecutions(context, body.ids, body.change)),

  answer(exportJobExecutions, async (context, { body }) => {
    const { database, scope, now } = context;
    const range = rangeOrLastDays(body, now(), DAYS_DEFAULT);
    await record(database, context, { action: 'job-execution.export', after: { ...body, ...range } });
    const stream = await exportExecutions(database, scope, { ...body, ...range });
    return { fileName: exportFileName(now()), stream };
  }),

  answer(ignoreDidntRun, (context, { params, body }) => leaveOut(context, params.jobInstanceUid, 'didnt-run', body)),
  answer(unignoreDidntRun, (context, { params }) => showAgain(context, params.jobInstanceUid, 'didnt-run')),
  answer(ignoreDisabled, (context, { params, body }) => leaveOut(context, params.jobInstanceUid, 'disabled', body)),
  answer(unignoreDisabled, (context, { params }) => showAgain(context, params.jobInstanceUid, 'disabled')),
];
