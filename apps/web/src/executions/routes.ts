import { dailyChecks } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const dailyChecksScreens: readonly Screen[] = [
  declareScreen(dailyChecks, {
    title: 'Daily checks',
    entry: { icon: 'list-check', key: 'c', counts: 'checks' },
    load: () => import('./daily-checks.screen.tsx'),
  }),
];
