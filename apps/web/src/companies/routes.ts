import type { Screen } from '../kit/screen.ts';

export const companiesScreens: readonly Screen[] = [
  {
    path: '/monitoring/companies',
    title: 'Companies',
    access: 'common.companies',
    load: () => import('./companies.screen.tsx'),
  },
];
