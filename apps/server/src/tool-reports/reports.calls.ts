import {
  createIntakeToken,
  deleteIntakeToken,
  deleteTestRuns,
  getIntakeToken,
  listIntakeTokens,
  reportRun,
} from '@keepwatch/contract/tool-reports/tool-reports';
import { change } from '../audit/change.ts';
import type { Pool } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { lockExecutions } from '../schedules/job-state.ts';
import { createToken, deleteToken, findToken, listTokens, removeTestJobs } from './intake-tokens.ts';
import { openReportIntake } from './report-intake.ts';
import { openReportReader } from './report-reader.ts';
import { checkedRuns } from './report-run.ts';

/** The calls for reports of tools and for their tokens. */
export function reportCalls(database: Pool, publicUrl: string): Route[] {
  const intake = openReportIntake(database);
  const reader = openReportReader();
  return [
    answer(listIntakeTokens, ({ database, scope }, { query }) => listTokens(database, scope, query)),

    answer(getIntakeToken, async ({ database, scope }, { params }) => {
      const data = await findToken(database, scope, params.id);
      if (data === null) throw notFound('intake token');
      return { data };
    }),

    answer(deleteTestRuns, async (context, { params }) => {
      await change(context, { kind: 'intake-token', id: params.id }, async (connection) => {
        await lockExecutions(connection, context.scope.providerId);
        const jobs = await removeTestJobs(connection, context.scope, params.id);
        return jobs === null ? null : { result: null, before: { jobs }, live: ['executions.changed'] };
      });
      return {};
    }),

    answer(createIntakeToken, async (context, { body }) => {
      const created = await change(context, { kind: 'intake-token' }, async (connection) => {
        const made = await createToken(connection, context.scope, { ...body, at: context.now() });
        if (made === null) throw notFound('company');
        const { _id: id, name, companyId } = made.data;
        return { result: made, id, after: { name, companyId } };
      });
      const address = new URL(`/api/monitoring/intake/${created.token}`, publicUrl).href;
      return { ...created, address };
    }),

    answer(deleteIntakeToken, async (context, { params }) => {
      await change(context, { kind: 'intake-token', id: params.id }, async (connection) => {
        await lockExecutions(connection, context.scope.providerId);
        await removeTestJobs(connection, context.scope, params.id);
        const name = await deleteToken(connection, context.scope, params.id);
        return name === null ? null : { result: null, before: { name }, live: ['executions.changed'] };
      });
      intake.forgetOwners();
      return {};
    }),

    answer(
      reportRun,
      async ({ now }, { params, query, text }) => {
        const at = now();
        const { tokenHash, owner } = await intake.knownToken(params.token);
        const exitCode = query.exitCode === undefined ? null : Number(query.exitCode);
        const read = await reader.read(text, { jobName: query.job ?? null, exitCode, now: at });
        const runs = checkedRuns(read, at);
        return { data: await intake.queue.store({ tokenHash, owner, runs, bytes: Buffer.byteLength(text), at }) };
      },
      { admit: (context, params) => intake.admit(context, params), isLimitedByItself: true },
    ),
  ];
}
