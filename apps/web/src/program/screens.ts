import { calendarScreens } from '../calendar/routes.ts';
import { dashboardScreens } from '../dashboard/routes.ts';
import { identityScreens } from '../identity/routes.ts';
import type { Screen } from '../kit/screen.ts';

/** Every screen of the portal. A new capability adds its list here, and its places in the sidebar in navigation.ts. */
export const screens: readonly Screen[] = [...dashboardScreens, ...identityScreens, ...calendarScreens];
