import IconBrandTeams from '@tabler/icons-react/dist/esm/icons/IconBrandTeams.mjs';
import IconCloud from '@tabler/icons-react/dist/esm/icons/IconCloud.mjs';
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs';
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs';
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs';
import {
  restoreDownload,
  restoreDownloads,
  restoreOneDrive,
  restoreOutlook,
  restoreSharePoint,
  restoreTeams,
} from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

const group = 'Restore';

/** In the order of the sidebar (specification "portal", part 2). */
export const restoreScreens: readonly Screen[] = [
  declareScreen(restoreOutlook, {
    title: 'Restore Outlook',
    entry: { label: 'Outlook', icon: IconMail, group, key: 'e' },
    load: () => import('./outlook.screen.tsx'),
  }),
  declareScreen(restoreOneDrive, {
    title: 'Restore OneDrive',
    entry: { label: 'OneDrive', icon: IconCloud, group, key: 'f' },
    load: () => import('./onedrive.screen.tsx'),
  }),
  declareScreen(restoreSharePoint, {
    title: 'Restore SharePoint',
    entry: { label: 'SharePoint', icon: IconWorld, group, key: 'w' },
    load: () => import('./sharepoint.screen.tsx'),
  }),
  declareScreen(restoreTeams, {
    title: 'Restore Teams',
    entry: { label: 'Teams', icon: IconBrandTeams, group, key: 't' },
    load: () => import('./teams.screen.tsx'),
  }),
  declareScreen(restoreDownloads, {
    title: 'Restore downloads',
    entry: { label: 'Downloads', icon: IconDownload, group, key: 'r' },
    load: () => import('./downloads/downloads.screen.tsx'),
  }),
  declareScreen(restoreDownload, { title: 'Restore download', load: () => import('./downloads/downloads.screen.tsx') }),
];
