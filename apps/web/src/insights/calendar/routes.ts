import type { Screen } from '../../kit/screen.ts';

export const calendarScreens: readonly Screen[] = [
  {
    path: '/monitoring/calendar-report',
    title: 'Calendar view',
    access: 'monitoring.calendar-report',
    load: () => import('./calendar.screen.tsx'),
  },
];
