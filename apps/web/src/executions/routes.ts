import type { Screen } from '../kit/screen.ts';

export const dailyChecksScreens: readonly Screen[] = [
  {
    path: '/monitoring/daily-checks',
    title: 'Daily checks',
    access: 'monitoring.daily-checks',
    load: () => import('./daily-checks.screen.tsx'),
  },
];
