import { companiesScreens } from '../companies/routes.ts';
import { dailyChecksScreens } from '../executions/routes.ts';
import { identityScreens } from '../identity/routes.ts';
import { calendarScreens } from '../insights/calendar/routes.ts';
import { dashboardScreens } from '../insights/dashboard/routes.ts';
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
