import IconBrandTeams from '@tabler/icons-react/dist/esm/icons/IconBrandTeams.mjs';
import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import IconBuildings from '@tabler/icons-react/dist/esm/icons/IconBuildings.mjs';
import IconBulb from '@tabler/icons-react/dist/esm/icons/IconBulb.mjs';
import IconCalendarRepeat from '@tabler/icons-react/dist/esm/icons/IconCalendarRepeat.mjs';
import IconCalendarStats from '@tabler/icons-react/dist/esm/icons/IconCalendarStats.mjs';
import IconCloud from '@tabler/icons-react/dist/esm/icons/IconCloud.mjs';
import IconDatabase from '@tabler/icons-react/dist/esm/icons/IconDatabase.mjs';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import IconInbox from '@tabler/icons-react/dist/esm/icons/IconInbox.mjs';
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs';
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs';
import IconLicense from '@tabler/icons-react/dist/esm/icons/IconLicense.mjs';
import IconListCheck from '@tabler/icons-react/dist/esm/icons/IconListCheck.mjs';
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs';
import IconMessages from '@tabler/icons-react/dist/esm/icons/IconMessages.mjs';
import IconPlug from '@tabler/icons-react/dist/esm/icons/IconPlug.mjs';
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs';
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs';
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs';
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs';
import IconUserShield from '@tabler/icons-react/dist/esm/icons/IconUserShield.mjs';
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs';

/** What the entries of the sidebar look like. Apart from the screens, which name them, so that the page for the sign-in has none of it. */
export const SIDEBAR_ICONS = {
  'brand-teams': IconBrandTeams,
  building: IconBuilding,
  buildings: IconBuildings,
  bulb: IconBulb,
  'calendar-repeat': IconCalendarRepeat,
  'calendar-stats': IconCalendarStats,
  cloud: IconCloud,
  database: IconDatabase,
  download: IconDownload,
  history: IconHistory,
  inbox: IconInbox,
  key: IconKey,
  'layout-dashboard': IconLayoutDashboard,
  license: IconLicense,
  'list-check': IconListCheck,
  mail: IconMail,
  messages: IconMessages,
  plug: IconPlug,
  'plug-connected': IconPlugConnected,
  settings: IconSettings,
  user: IconUser,
  'user-check': IconUserCheck,
  'user-shield': IconUserShield,
  users: IconUsers,
  world: IconWorld,
} as const;

export type SidebarIcon = keyof typeof SIDEBAR_ICONS;
