import { backupDay } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const backupDayScreens: readonly Screen[] = [
  declareScreen(backupDay, {
    title: 'Backup day',
    entry: { icon: 'calendar-stats', key: 't', hint: 'The time zone, and when a day begins' },
    load: () => import('./backup-day.screen.tsx'),
  }),
];
