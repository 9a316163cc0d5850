import IconBuildings from '@tabler/icons-react/dist/esm/icons/IconBuildings.mjs';
import IconCalendarRepeat from '@tabler/icons-react/dist/esm/icons/IconCalendarRepeat.mjs';
import IconDatabase from '@tabler/icons-react/dist/esm/icons/IconDatabase.mjs';
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs';
import IconLicense from '@tabler/icons-react/dist/esm/icons/IconLicense.mjs';
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs';
import {
  jobWizard,
  o365Dashboard,
  o365Jobs,
  o365LicensedUsers,
  o365Licensing,
  o365Organizations,
  o365Repositories,
  organizationCertificate,
  organizationWizard,
} from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

/** In the order of the sidebar (specification "portal", part 2). */
export const microsoft365Screens: readonly Screen[] = [
  declareScreen(o365Dashboard, {
    title: 'Dashboard',
    entry: { icon: IconLayoutDashboard, key: 'b' },
    load: () => import('./dashboard/dashboard.screen.tsx'),
  }),
  declareScreen(o365Jobs, {
    title: 'Jobs',
    entry: { icon: IconCalendarRepeat, key: 'j' },
    load: () => import('./jobs/jobs.screen.tsx'),
  }),
  declareScreen(jobWizard, { title: 'Backup job', load: () => import('./jobs/job-wizard.screen.tsx') }),
  declareScreen(o365Organizations, {
    title: 'Organizations',
    entry: { icon: IconBuildings, key: 'o' },
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
    entry: { icon: IconDatabase, key: 'p' },
    load: () => import('./repositories/repositories.screen.tsx'),
  }),
  declareScreen(o365Licensing, {
    title: 'Licensing',
    entry: { icon: IconLicense, group: 'Reports', key: 'i' },
    load: () => import('./licensing/licensing.screen.tsx'),
  }),
  declareScreen(o365LicensedUsers, {
    title: 'Licensed users',
    entry: { icon: IconUserCheck, group: 'Reports', key: 'k' },
    load: () => import('./licensing/licensed-users.screen.tsx'),
  }),
];
