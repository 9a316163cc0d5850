import { createCompany, listReportingCompanies, listServiceProviders } from '@keepwatch/contract/directory/companies';
import { record } from '../audit/audit.ts';
import { transaction } from '../foundation/database.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { addCompany, findReportingCompanies } from './companies.ts';
import { findServiceProviders } from './service-providers.ts';

export const directoryCalls: Route[] = [
  answer(createCompany, async (context, { body }) => {
    const data = await transaction(context.database, async (connection) => {
      const company = await addCompany(connection, context.scope, body);
      const target = { kind: 'company', id: company._id };
      await record(connection, context, { action: 'company.create', target, after: body });
      return company;
    });
    return { data };
  }),

  answer(listReportingCompanies, async ({ database, scope }, { query }) => {
    const page = await findReportingCompanies(database, scope, query);
    return { ...page, query: { limit: query.limit, offset: query.offset } };
  }),

  answer(listServiceProviders, ({ database, scope }, { query }) => findServiceProviders(database, scope, query)),
];
