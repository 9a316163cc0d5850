import { adminDashboard } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const administrationScreens: readonly Screen[] = [
  declareScreen(adminDashboard, {
    title: 'Administration',
    entry: { label: 'Dashboard', icon: 'layout-dashboard', key: 'd' },
    load: () => import('./admin-dashboard.screen.tsx'),
  }),
];
