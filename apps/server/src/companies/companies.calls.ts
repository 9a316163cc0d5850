import {
  createCompany,
  deleteCompany,
  editCompany,
  exportCompanies,
  exportCompanyJobs,
  getCompany,
  listCompanies,
  listConsoleCompanies,
  listDeletedCompanies,
  restoreCompany,
} from '@keepwatch/contract/companies/companies';
import type { Company } from '@keepwatch/contract/directory/companies';
import { listFaults } from '@keepwatch/contract/faults/faults';
import { record } from '../audit/audit.ts';
import { change } from '../audit/change.ts';
import { exportList } from '../audit/export-list.ts';
import type { ConnectionServices } from '../connections/connection-services.ts';
import type { Connection } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import { type ChangingContext, may } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { wholeProvider } from '../foundation/whole-provider.ts';
import { addCompany, changeCompany, findCompany } from './company-changes.ts';
import { companyCsv } from './company-export.ts';
import { findCompanyFaults } from './company-faults.ts';
import { companyJobsCsv, companyJobsQuery } from './company-jobs-export.ts';
import { allCompanyRowsQuery, countWithoutCompany, findCompanyRow, listCompanyRows } from './company-status.ts';
import { findConsoleCompanies } from './console-companies.ts';
import { consoleLinks } from './console-links.ts';
import { findDeleted } from './deleted-companies.ts';
import { type LinkChange, shownLinks } from './link-changes.ts';
import { type CompanyUses, removeCompany, restoreRemoved } from './removed-companies.ts';

/** The calls about companies. */
export function companyCalls(services: ConnectionServices & CompanyUses): Route[] {
  return [
    answer(listCompanies, async ({ database, scope, now }, { query }) => {
      const [companies, withoutCompany] = await Promise.all([
        listCompanyRows(database, scope, { ...query, now: now() }),
        countWithoutCompany(database, scope),
      ]);
      return { ...companies, withoutCompany };
    }),

    answer(getCompany, async ({ database, scope, now }, { params }) => {
      const company = await findCompanyRow(database, scope, params.id, now());
      if (company === null) throw notFound('company');
      const faults = await findCompanyFaults(database, scope, params.id, now());
      return { data: { ...company, ...faults, links: await consoleLinks(database, scope, params.id) } };
    }),

    answer(exportCompanies, (context, { body: filter }) => {
      const query = allCompanyRowsQuery(context.scope, { ...filter, now: context.now() });
      return exportList(context, { name: 'Companies', query, columns: companyCsv(context.actor.backupClock), filter });
    }),

    answer(exportCompanyJobs, async (context, { params: { id } }) => {
      const { actor, database, scope } = context;
      if ((await findCompany(database, scope, id)) === null) throw notFound('company');
      const query = companyJobsQuery(scope, id, context.now());
      const columns = companyJobsCsv(actor.backupClock, may(actor, listFaults.access));
      return exportList(context, { name: 'CompanyJobs', query, columns, filter: { companyId: id } });
    }),

    answer(createCompany, async (context, { body }) => {
      const data = await change(context, { kind: 'company' }, async (connection) => {
        const company = await addCompany(connection, context.scope, body);
        return { result: company, id: company._id, after: body, live: ['companies.changed'] };
      });
      return { data };
    }),

    answer(editCompany, async (context, { params, body }) => {
      const data = await change(context, { kind: 'company', id: params.id }, async (connection) => {
        const changed = await changeCompany(connection, context.scope, params.id, body);
        if (changed === null) return null;
        const { [changed.after._id]: own, ...others } = Object.fromEntries(changed.links);
        await recordLosses(connection, context, others);
        return {
          result: changed.after,
          before: { ...shownOf(changed.before), ...(own && shownLinks(own.before)) },
          after: { ...shownOf(changed.after), ...(own && shownLinks(own.after)) },
          live: ['companies.changed'],
        };
      });
      return { data };
    }),

    answer(deleteCompany, async (context, { params, body }) => {
      const deletion = { at: context.now(), by: context.actor.userId, reason: body.reason };
      await change(context, { kind: 'company', id: params.id }, async (connection) => {
        const removed = await removeCompany(connection, context.scope, params.id, deletion, services);
        if (removed === null) return null;
        return {
          result: null,
          before: shownOf(removed),
          after: body,
          live: ['companies.changed', 'executions.changed'],
        };
      });
      return {};
    }),

    answer(restoreCompany, async (context, { params }) => {
      await change(context, { kind: 'company', id: params.id }, async (connection) => {
        const restored = await restoreRemoved(connection, context.scope, params.id);
        if (restored === null) return null;
        if (restored.isUnchanged) return { result: null, isUnchanged: true };
        return { result: null, after: shownOf(restored.company), live: ['companies.changed', 'executions.changed'] };
      });
      return {};
    }),

    answer(listDeletedCompanies, (context, { query }) => {
      wholeProvider(context);
      return findDeleted(context.database, context.scope, query);
    }),

    answer(listConsoleCompanies, (context, { query }) => {
      wholeProvider(context);
      return findConsoleCompanies(services, context, query);
    }),
  ];
}

/** Records of each company from which a link was moved that it has lost it. */
async function recordLosses(
  connection: Connection,
  context: ChangingContext,
  changes: Readonly<Record<string, LinkChange>>,
): Promise<void> {
  for (const [id, { before, after }] of Object.entries(changes))
    if (after.length < before.length)
      await record(connection, context, {
        action: context.audit,
        target: { kind: 'company', id },
        before: shownLinks(before),
        after: shownLinks(after),
      });
}

/** Returns the fields of a company that a person changes. */
function shownOf({ name, email, phone, isActive, isManaged }: Company) {
  return { name, email, phone, isActive, isManaged };
}
