import {
  createIntakeToken,
  deleteIntakeToken,
  listIntakeTokens,
  reportRun,
} from '@keepwatch/contract/monitoring/sources';
import { record } from '../../audit/audit.ts';
import { transaction } from '../../foundation/database.ts';
import { notFound } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import type { Claimant } from '../../foundation/http/places.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { createToken, deleteToken, keepTokenUse, listTokens, ownerOfToken } from './intake-tokens.ts';
import { openReportReader } from './report-reader.ts';
import { takeReport } from './report-run.ts';

/** What tools report by themselves, and the tokens they do it with. */
export function reportCalls(publicUrl: string): Route[] {
  const reader = openReportReader();
  return [
    answer(listIntakeTokens, ({ database, scope }, { query }) => listTokens(database, scope, query)),

    answer(createIntakeToken, async (context, { body }) => {
      const created = await transaction(context.database, async (connection) => {
        const made = await createToken(connection, context.scope, { ...body, at: context.now() });
        if (made === null) throw notFound('company');
        const { _id: id, name, companyId } = made.data;
        const target = { kind: 'intake-token', id };
        await record(connection, context, { action: 'intake-token.create', target, after: { name, companyId } });
        return made;
      });
      const address = new URL(`/api/monitoring/intake/${created.token}`, publicUrl).href;
      return { ...created, address };
    }),

    answer(deleteIntakeToken, async (context, { params }) => {
      await transaction(context.database, async (connection) => {
        const name = await deleteToken(connection, context.scope, params.id);
        if (name === null) throw notFound('intake token');
        const target = { kind: 'intake-token', id: params.id };
        await record(connection, context, { action: 'intake-token.delete', target, before: { name } });
      });
      return {};
    }),

    answer(
      reportRun,
      async ({ database, now }, { params, query, text }) => {
        const at = now();
        // Once more: it may have been removed while the body came in.
        const owner = await ownerOfToken(database, params.token);
        if (owner === null) throw notFound('intake token');
        await keepTokenUse(database, params.token, at);
        const exitCode = query.exitCode === undefined ? null : Number(query.exitCode);
        const runs = await reader.read(text, { jobName: query.job ?? null, exitCode, now: at });
        return { data: await takeReport(database, owner, runs, at) };
      },
      { admit: admitKnownToken },
    ),
  ];
}

/** Throws the 404 of an unknown token before the body is read, which may have 8 MB. What can be no token is unknown too. */
async function admitKnownToken({ database }: PublicContext, params: unknown): Promise<Claimant> {
  const { token } = reportRun.params.safeParse(params).data ?? {};
  const owner = token === undefined ? null : await ownerOfToken(database, token);
  if (owner === null) throw notFound('intake token');
  return { group: String(owner.providerId), one: owner.companyId };
}
