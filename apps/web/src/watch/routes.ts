import { hints } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const hintsScreens: readonly Screen[] = [
  declareScreen(hints, {
    title: 'Hints',
    entry: { icon: 'bulb', key: 'h' },
    load: () => import('./hints.screen.tsx'),
  }),
];
