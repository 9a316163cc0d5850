import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconCalendarStats from '@tabler/icons-react/dist/esm/icons/IconCalendarStats.mjs';
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs';
import IconListCheck from '@tabler/icons-react/dist/esm/icons/IconListCheck.mjs';
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs';
import type { NavigationEntry } from '../kit/screen.ts';

/** The sidebar of monitoring, in the specification's order (part 2). Entries without a screen are not shown. */
export const navigation: readonly NavigationEntry[] = [
  {
    label: 'Dashboard',
    icon: IconLayoutDashboard,
    path: '/monitoring/dashboard',
    ability: 'monitoring.dashboard',
    key: 'd',
  },
  {
    label: 'Calendar view',
    icon: IconCalendarStats,
    path: '/monitoring/calendar-report',
    ability: 'monitoring.calendar-report',
    key: 'v',
  },
  {
    label: 'Daily checks',
    icon: IconListCheck,
    path: '/monitoring/daily-checks',
    ability: 'monitoring.daily-checks',
    key: 'c',
  },
  { label: 'Companies', icon: IconBuilding, path: '/monitoring/companies', ability: 'common.companies', key: 'm' },
  { label: 'Sources', icon: IconPlugConnected, path: '/monitoring/sources', ability: 'monitoring.sources', key: 's' },
];
