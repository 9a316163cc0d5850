import type { Screen } from '../kit/screen.ts';

export const sourcesScreens: readonly Screen[] = [
  {
    path: '/monitoring/sources',
    title: 'Sources',
    access: 'monitoring.sources',
    load: () => import('./sources.screen.tsx'),
  },
];
