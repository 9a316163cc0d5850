import {
  jobWizard,
  o365Dashboard,
  o365Jobs,
  o365Organizations,
  o365Repositories,
  operatorRoles,
  operatorRoleWizard,
  organizationCertificate,
  organizationWizard,
} from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

/** In the order of the sidebar (specification "portal", part 2). */
export const microsoft365Screens: readonly Screen[] = [
  declareScreen(o365Dashboard, {
    title: 'Dashboard',
    entry: { icon: 'layout-dashboard', key: 'b' },
    load: () => import('./dashboard/dashboard.screen.tsx'),
  }),
  declareScreen(o365Jobs, {
    title: 'Jobs',
    entry: { icon: 'calendar-repeat', key: 'j', counts: 'failedJobs' },
    load: () => import('./jobs/jobs.screen.tsx'),
  }),
  declareScreen(jobWizard, { title: 'Backup job', load: () => import('./jobs/job-wizard.screen.tsx') }),
  declareScreen(o365Organizations, {
    title: 'Organizations',
    entry: { icon: 'buildings', key: 'o' },
    load: () => import('./organizations/organizations.screen.tsx'),
  }),
  declareScreen(organizationWizard, {
    title: 'Connect an organization',
    load: () => import('./organizations/organization-wizard.screen.tsx'),
  }),
  declareScreen(organizationCertificate, {
    title: 'Renew certificate',
    load: () => import('./organizations/certificate.screen.tsx'),
  }),
  declareScreen(o365Repositories, {
    title: 'Repositories',
    entry: { icon: 'database', key: 'p' },
    load: () => import('./repositories/repositories.screen.tsx'),
  }),
];

/** In the group for help, after what it lists (specification "portal", part 2). */
export const operatorRoleScreens: readonly Screen[] = [
  declareScreen(operatorRoles, {
    title: 'Restore operator roles',
    entry: {
      label: 'Restore Operators',
      icon: 'user-shield',
      group: 'Support',
      isBelowLinks: true,
      key: 'a',
      hint: 'Setup a Restore Operator if you wish one end-user to restore data for other end-users.',
    },
    load: () => import('./operator-roles/roles.screen.tsx'),
  }),
  declareScreen(operatorRoleWizard, {
    title: 'Restore operator role',
    load: () => import('./operator-roles/role-wizard.screen.tsx'),
  }),
];
