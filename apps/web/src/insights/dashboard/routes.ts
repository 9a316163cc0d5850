import type { Screen } from '../../kit/screen.ts';

export const dashboardScreens: readonly Screen[] = [
  {
    path: '/monitoring/dashboard',
    title: 'Dashboard',
    access: 'monitoring.dashboard',
    hasFooter: true,
    load: () => import('./dashboard.screen.tsx'),
  },
];
