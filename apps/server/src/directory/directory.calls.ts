import { listReportingCompanies, listServiceProviders } from '@keepwatch/contract/directory/companies';
import { exportUserList, exportUsers, listUsers, listUsersToNotify } from '@keepwatch/contract/directory/users';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { exportList } from '../audit/export-list.ts';
import { type ChangingContext, may } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { findReportingCompanies } from './companies.ts';
import { allUsersQuery, findUsers } from './listed-users.ts';
import { findServiceProviders } from './service-providers.ts';
import { USER_CSV } from './user-export.ts';
import { findUsersToNotify } from './users-to-notify.ts';

export const directoryCalls: Route[] = [
  answer(listReportingCompanies, async ({ actor, database, scope }, { query }) => {
    const users = query.users && may(actor, listUsers.access);
    const page = await findReportingCompanies(database, scope, { ...query, users });
    return { ...page, query: { limit: query.limit, offset: query.offset } };
  }),

  answer(listUsers, ({ database, scope }, { query }) => findUsers(database, scope, query)),

  answer(listUsersToNotify, ({ database, scope }, { params, query }) =>
    findUsersToNotify(database, scope, params.veeamId, query),
  ),

  answer(exportUsers, (context, { query }) => exported(context, query)),

  answer(exportUserList, (context, { query }) => exported(context, query)),

  answer(listServiceProviders, ({ database, scope }, { query }) => findServiceProviders(database, scope, query)),
];

function exported(context: ChangingContext, filter: CallInput<typeof exportUsers>['query']) {
  return exportList(context, { name: 'Users', query: allUsersQuery(context.scope, filter), columns: USER_CSV, filter });
}
