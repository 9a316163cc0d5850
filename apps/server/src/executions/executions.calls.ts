import type { ExecutionFilter } from '@keepwatch/contract/executions/filters';
import {
  ignoreDidntRun,
  ignoreDisabled,
  unignoreDidntRun,
  unignoreDisabled,
} from '@keepwatch/contract/executions/inactive-jobs';
import {
  assignJobExecutions,
  editJobExecution,
  editJobExecutions,
  exportJobExecutions,
  getJobExecution,
  type JobExecution,
  listJobExecutions,
  type RunHint,
} from '@keepwatch/contract/executions/job-executions';
import { exportList } from '../audit/export-list.ts';
import type { Connection } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import type { Scope } from '../foundation/scope.ts';
import { rangeOrLastDays } from '../runs/report-range.ts';
import { assignExecutions } from './assign-executions.ts';
import { editExecution, editExecutions } from './edit-executions.ts';
import { findExecutionDetail } from './execution-detail.ts';
import { executionCsv, executionExportQuery } from './execution-export.ts';
import { listExecutions } from './job-executions.ts';
import { deleteIgnore, insertIgnore } from './job-ignores.ts';

const DAYS_DEFAULT = 2;

/** Returns the requested range. The default is the last days, or no limit for latest runs, of which there is one per job. */
function rangeOf(asked: { from?: string | undefined; to?: string | undefined; filter: ExecutionFilter }, now: Date) {
  const isOpen = asked.filter.latest && asked.from === undefined && asked.to === undefined;
  return isOpen ? { from: null, to: null } : rangeOrLastDays(asked, now, DAYS_DEFAULT);
}

/** What a capability above knows of a run. */
export interface ExecutionParts {
  readHintsOf(connection: Connection, scope: Scope, run: JobExecution): Promise<RunHint[]>;
}

export const executionCalls = ({ readHintsOf }: ExecutionParts): Route[] => [
  answer(listJobExecutions, async ({ database, scope, now }, { query }) => {
    const range = rangeOf(query, now());
    const list = await listExecutions(database, scope, { ...query, ...range, now: now() });
    return { ...list, query: { limit: query.limit, offset: query.offset, ...range } };
  }),

  answer(getJobExecution, async ({ actor, database, scope }, { params }) => {
    const execution = await findExecutionDetail(database, scope, params.id, actor.userId);
    if (execution === null) throw notFound('job execution');
    return { data: { ...execution, hints: await readHintsOf(database, scope, execution) } };
  }),

  answer(editJobExecution, async (context, { params, body }) => ({
    data: await editExecution(context, params.id, body),
  })),
  answer(editJobExecutions, (context, { body }) => editExecutions(context, body)),

  answer(assignJobExecutions, (context, { body }) => assignExecutions(context, body)),

  answer(exportJobExecutions, (context, { body }) => {
    const now = context.now();
    const filter = { ...body, ...rangeOf(body, now) };
    const query = executionExportQuery(context.scope, { ...filter, now });
    return exportList(context, {
      name: 'DailyChecks',
      query,
      columns: executionCsv(context.actor.backupClock),
      filter,
    });
  }),

  answer(ignoreDidntRun, (context, { params, body }) =>
    insertIgnore(context, params.jobInstanceUid, 'didnt-run', body),
  ),
  answer(unignoreDidntRun, (context, { params }) => deleteIgnore(context, params.jobInstanceUid, 'didnt-run')),
  answer(ignoreDisabled, (context, { params, body }) => insertIgnore(context, params.jobInstanceUid, 'disabled', body)),
  answer(unignoreDisabled, (context, { params }) => deleteIgnore(context, params.jobInstanceUid, 'disabled')),
];
