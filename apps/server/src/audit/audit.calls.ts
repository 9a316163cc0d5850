import { exportUserLogs, listOwnLogs, listUserLogs } from '@keepwatch/contract/audit/user-logs';
import { requireOwn } from '../foundation/http/access.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { exportList } from './export-list.ts';
import type { TargetNames } from './target-name.ts';
import { USER_LOG_CSV } from './user-log-export.ts';
import { allUserLogsQuery, findOwnLogs, findUserLogs } from './user-logs.ts';

export function auditCalls(names: TargetNames): Route[] {
  return [
    answer(listUserLogs, ({ database, scope }, { query }) => findUserLogs(database, names, scope, query)),

    answer(listOwnLogs, ({ database, actor }, { params, query }) => {
      requireOwn(actor, params.id);
      return findOwnLogs(database, names, actor, query);
    }),

    answer(exportUserLogs, (context, { query: filter }) => {
      const query = allUserLogsQuery(names, context.scope, filter);
      return exportList(context, { name: 'UsersLogs', query, columns: USER_LOG_CSV, filter });
    }),
  ];
}
