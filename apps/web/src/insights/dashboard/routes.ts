import { dashboard } from '../../entities/places.ts';
import { declareScreen, type Screen } from '../../kit/screen.ts';

export const dashboardScreens: readonly Screen[] = [
  declareScreen(dashboard, {
    title: 'Dashboard',
    entry: { icon: 'layout-dashboard', key: 'd' },
    hasFooter: true,
    load: () => import('./dashboard.screen.tsx'),
  }),
];
