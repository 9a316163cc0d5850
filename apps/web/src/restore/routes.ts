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
    entry: { label: 'Outlook', icon: 'mail', group, key: 'e' },
    load: () => import('./outlook.screen.tsx'),
  }),
  declareScreen(restoreOneDrive, {
    title: 'Restore OneDrive',
    entry: { label: 'OneDrive', icon: 'cloud', group, key: 'f' },
    load: () => import('./onedrive.screen.tsx'),
  }),
  declareScreen(restoreSharePoint, {
    title: 'Restore SharePoint',
    entry: { label: 'SharePoint', icon: 'world', group, key: 'w' },
    load: () => import('./sharepoint.screen.tsx'),
  }),
  declareScreen(restoreTeams, {
    title: 'Restore Teams',
    entry: { label: 'Teams', icon: 'brand-teams', group, key: 't' },
    load: () => import('./teams.screen.tsx'),
  }),
  declareScreen(restoreDownloads, {
    title: 'Restore downloads',
    entry: { label: 'Downloads', icon: 'download', group, key: 'r', counts: 'downloads' },
    load: () => import('./downloads/downloads.screen.tsx'),
  }),
  declareScreen(restoreDownload, { title: 'Restore download', load: () => import('./downloads/downloads.screen.tsx') }),
];
