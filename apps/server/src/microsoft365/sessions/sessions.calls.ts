import {
  editJobNotification,
  listSessionLog,
  readJobNotification,
  readLatestSession,
} from '@keepwatch/contract/microsoft365/jobs';
import { change } from '../../audit/change.ts';
import { findUserById } from '../../directory/users.ts';
import type { Connection } from '../../foundation/database.ts';
import { invalid, notFound } from '../../foundation/errors.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { findNotification, storeNotification } from '../jobs/job-notifications.ts';
import { findJob } from '../jobs/jobs.ts';
import { listSessions, readSessionLog } from './sessions.ts';

/** Runs that the last one is shown with. */
const HISTORY = 60;

/** The calls about runs, and whom they are reported to. */
export const sessionCalls: Route[] = [
  answer(readLatestSession, async ({ database, scope }, { params: { jobId: id }, query }) => {
    if ((await findJob(database, scope, id, query.organizationId)) === null) throw notFound('m365 job');
    const key = { providerId: scope.providerId, id };
    const [data = null, ...history] = await listSessions(database, key, { limit: HISTORY + 1, offset: 0 });
    return { data, history };
  }),

  answer(listSessionLog, async ({ database, scope }, { params, query }) => {
    const { jobId: id, sessionId } = params;
    if ((await findJob(database, scope, id, query.organizationId)) === null) throw notFound('m365 job');
    const page = await readSessionLog(database, { providerId: scope.providerId, id }, sessionId, query);
    if (page === null) throw notFound('run');
    return page;
  }),

  answer(readJobNotification, async ({ database, scope }, { params: { jobId }, query }) => {
    const found = await findNotification(database, scope, jobId, query.organizationId);
    if (found === null) throw notFound('m365 job');
    return { data: { jobId, ...found, ...listsOf(found) } };
  }),

  answer(editJobNotification, async (context, { params: { jobId }, body }) => {
    const { organizationId, ...notification } = body;
    const { scope } = context;
    const data = await change(context, { kind: 'm365-job', id: jobId }, async (connection) => {
      const before = await findNotification(connection, scope, jobId, organizationId);
      const job = before === null ? null : await findJob(connection, scope, jobId);
      if (before === null || job === null) return null;
      await requireUsers(connection, scope.providerId, job.companyId, notification.userIds);
      await storeNotification(connection, { providerId: scope.providerId, id: jobId }, notification);
      const result = { jobId, organizationId: before.organizationId, ...notification };
      return { result, before, after: notification, live: ['m365-jobs.changed'] };
    });
    return { data };
  }),
];

/** Who is mailed must be a user who may see the company of the job. */
async function requireUsers(
  connection: Connection,
  providerId: number,
  companyId: string,
  userIds: readonly string[],
): Promise<void> {
  const errors = [];
  for (const [index, id] of userIds.entries()) {
    const user = await findUserById(connection, providerId, id);
    const reach = user?.companyIds;
    if (user === null || (reach != null && !reach.includes(companyId)))
      errors.push({ path: `body.userIds.${index}`, message: 'must be a user who may see the company of the job' });
  }
  if (errors.length > 0) throw invalid(errors);
}

const listsOf = ({
  userIds,
  externalAddresses,
}: {
  userIds: readonly string[];
  externalAddresses: readonly string[];
}) => ({
  userIds: [...userIds],
  externalAddresses: [...externalAddresses],
});
