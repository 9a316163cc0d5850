import { createCompany, listReportingCompanies, listServiceProviders } from '@keepwatch/contract/directory/companies';
import { change } from '../audit/change.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { addCompany, findReportingCompanies } from './companies.ts';
import { findServiceProviders } from './service-providers.ts';

export const directoryCalls: Route[] = [
  answer(createCompany, async (context, { body }) => {
    const data = await change(context, { kind: 'company' }, async (connection) => {
      const company = await addCompany(connection, context.scope, body);
      return { result: company, id: company._id, after: body, live: ['companies.changed'] };
    });
    return { data };
  }),

  answer(listReportingCompanies, async ({ database, scope }, { query }) => {
    const page = await findReportingCompanies(database, scope, query);
    return { ...page, query: { limit: query.limit, offset: query.offset } };
  }),

  answer(listServiceProviders, ({ database, scope }, { query }) => findServiceProviders(database, scope, query)),
];
