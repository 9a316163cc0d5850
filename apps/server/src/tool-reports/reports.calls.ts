import {
  createIntakeToken,
  deleteIntakeToken,
  listIntakeTokens,
  reportRun,
} from '@keepwatch/contract/tool-reports/tool-reports';
import { change } from '../audit/change.ts';
import type { Pool } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { createToken, deleteToken, listTokens } from './intake-tokens.ts';
import { openReportIntake } from './report-intake.ts';
import { openReportReader } from './report-reader.ts';
import { checkedRuns } from './report-run.ts';

/** The calls for reports of tools and for their tokens. */
export function reportCalls(database: Pool, publicUrl: string): Route[] {
  const intake = openReportIntake(database);
  const reader = openReportReader();
  return [
    answer(listIntakeTokens, ({ database, scope }, { query }) => listTokens(database, scope, query)),

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
        const name = await deleteToken(connection, context.scope, params.id);
        return name === null ? null : { result: null, before: { name } };
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
