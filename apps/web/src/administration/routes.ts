import { adminDashboard, portalBackups, systemSettings } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const administrationScreens: readonly Screen[] = [
  declareScreen(adminDashboard, {
    title: 'Administration',
    entry: { label: 'Dashboard', icon: 'layout-dashboard', key: 'd' },
    load: () => import('./admin-dashboard.screen.tsx'),
  }),
];

/** After what is looked at more often. */
export const systemScreens: readonly Screen[] = [
  declareScreen(systemSettings, {
    title: 'System settings',
    entry: { icon: 'settings', key: 'e' },
    load: () => import('./settings/settings.screen.tsx'),
  }),
  declareScreen(portalBackups, {
    title: 'Backups',
    entry: { icon: 'database', key: 'p' },
    load: () => import('./backups/backups.screen.tsx'),
  }),
];
