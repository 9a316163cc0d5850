import { listReportingCompanies, listServiceProviders } from '@keepwatch/contract/directory/companies';
import { listUsers } from '@keepwatch/contract/directory/users';
import { answer, type Route } from '../foundation/http/routes.ts';
import { findReportingCompanies } from './companies.ts';
import { findUsers } from './listed-users.ts';
import { findServiceProviders } from './service-providers.ts';

export const directoryCalls: Route[] = [
  answer(listReportingCompanies, async ({ database, scope }, { query }) => {
    const page = await findReportingCompanies(database, scope, query);
    return { ...page, query: { limit: query.limit, offset: query.offset } };
  }),

  answer(listUsers, ({ database, scope }, { query }) => findUsers(database, scope, query)),

  answer(listServiceProviders, ({ database, scope }, { query }) => findServiceProviders(database, scope, query)),
];
