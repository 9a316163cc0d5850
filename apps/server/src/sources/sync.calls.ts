import { getLastSync, listUnmatchedRuns, startSync } from '@keepwatch/contract/sources/sources';
import { sql } from 'drizzle-orm';
import { change } from '../audit/change.ts';
import { rows } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { REPORTS_ITSELF, SOURCES } from '../runs/source-horizon.ts';
import { requestSync } from './sync-job.ts';
import { readLastSync } from './sync-status.ts';
import { listUnmatched } from './unmatched-runs.ts';

export const syncCalls: Route[] = [
  answer(getLastSync, ({ database, scope, now }) => readLastSync(database, scope, now())),

  answer(startSync, async (context, { body }) => {
    const { queue, scope } = context;
    const requested = body.sourceId === undefined ? sql`true` : sql`s.id = ${body.sourceId}`;
    await change(context, null, async (connection) => {
      const found = await rows<{ id: string }>(
        connection,
        sql`select s.id from ${SOURCES} s where s.provider_id = ${scope.providerId} and ${requested}
              and s.deleted_at is null and s.is_enabled and not ${REPORTS_ITSELF} order by s.id`,
      );
      if (found.length === 0 && body.sourceId !== undefined) throw notFound('source');
      for (const { id } of found) await requestSync(queue, connection, id);
      return { result: null, after: { sources: found.map(({ id }) => id) } };
    });
    return {};
  }),

  answer(listUnmatchedRuns, ({ database, scope }, { query }) => listUnmatched(database, scope, query)),
];
