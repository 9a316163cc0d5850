import { administrationScreens, systemScreens } from '../administration/routes.ts';
import { auditScreens, o365AuditScreens } from '../audit/routes.ts';
import { backupDayScreens } from '../backup-days/routes.ts';
import { brandingScreens } from '../branding/routes.ts';
import { companiesScreens } from '../companies/routes.ts';
import { connectionsScreens } from '../connections/routes.ts';
import { consoleScreens } from '../consoles/routes.ts';
import { directoryScreens, o365DirectoryScreens } from '../directory/routes.ts';
import { dailyChecksScreens } from '../executions/routes.ts';
import { faultScreens } from '../faults/routes.ts';
import { identityScreens } from '../identity/routes.ts';
import { calendarScreens } from '../insights/calendar/routes.ts';
import { dashboardScreens } from '../insights/dashboard/routes.ts';
import type { Screen } from '../kit/screen.ts';
import { licensingScreens } from '../microsoft365/licensing/routes.ts';
import { microsoft365Screens, operatorRoleScreens } from '../microsoft365/routes.ts';
import { restoreScreens } from '../restore/routes.ts';
import { sourcesScreens } from '../sources/routes.ts';
import { supportScreens } from '../support/routes.ts';
import { hintsScreens } from '../watch/routes.ts';

/** Every screen of the portal, in the order of the sidebar (specification "portal", part 2). A new capability adds its list here. */
export const screens: readonly Screen[] = [
  ...faultScreens,
  ...dashboardScreens,
  ...calendarScreens,
  ...dailyChecksScreens,
  ...hintsScreens,
  ...directoryScreens,
  ...companiesScreens,
  ...sourcesScreens,
  ...administrationScreens,
  ...connectionsScreens,
  ...brandingScreens,
  ...backupDayScreens,
  ...systemScreens,
  ...auditScreens,
  ...microsoft365Screens,
  ...o365DirectoryScreens,
  ...licensingScreens,
  ...o365AuditScreens,
  ...restoreScreens,
  ...supportScreens,
  ...operatorRoleScreens,
  ...identityScreens,
  ...consoleScreens,
];
