import { calendar } from '../../entities/places.ts';
import { declareScreen, type Screen } from '../../kit/screen.ts';

export const calendarScreens: readonly Screen[] = [
  declareScreen(calendar, {
    title: 'Calendar view',
    entry: { icon: 'calendar-stats', key: 'v' },
    load: () => import('./calendar.screen.tsx'),
  }),
];
