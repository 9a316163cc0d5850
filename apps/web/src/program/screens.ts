import { calendarScreens } from '../calendar/routes.ts';
import { companiesScreens } from '../companies/routes.ts';
import { dailyChecksScreens } from '../daily-checks/routes.ts';
import { dashboardScreens } from '../dashboard/routes.ts';
import { identityScreens } from '../identity/routes.ts';
import type { Screen } from '../kit/screen.ts';
import { sourcesScreens } from '../sources/routes.ts';

/** Every screen of the portal. A new capability adds its list here, and its places in the sidebar in navigation.ts. */
export const screens: readonly Screen[] = [
  ...dashboardScreens,
  ...identityScreens,
  ...sourcesScreens,
  ...companiesScreens,
  ...calendarScreens,
  ...dailyChecksScreens,
];
