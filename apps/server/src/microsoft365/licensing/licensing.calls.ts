import {
  exportLicensedUsers,
  exportLicensing,
  listLicensedUsers,
  listLicensing,
} from '@keepwatch/contract/microsoft365/licensing';
import { exportList } from '../../audit/export-list.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { allOrganizationsQuery, listOrganizations } from './licensed-organizations.ts';
import { allUsersQuery, listUsers } from './licensed-users.ts';
import { LICENSED_USER_CSV, LICENSING_CSV } from './licensing-export.ts';

/** The calls about licences of Microsoft 365. */
export const licensingCalls: Route[] = [
  answer(listLicensing, ({ database, scope, now }, { query }) => listOrganizations(database, scope, query, now())),

  answer(exportLicensing, (context, { query: filter }) => {
    const query = allOrganizationsQuery(context.scope, filter, context.now());
    return exportList(context, { name: 'Licensing', query, columns: LICENSING_CSV, filter });
  }),

  answer(listLicensedUsers, ({ database, scope, now }, { query }) => listUsers(database, scope, query, now())),

  answer(exportLicensedUsers, (context, { query: filter }) => {
    const query = allUsersQuery(context.scope, filter, context.now());
    return exportList(context, { name: 'LicensedUsers', query, columns: LICENSED_USER_CSV, filter });
  }),
];
