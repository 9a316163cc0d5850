import IconBulb from '@tabler/icons-react/dist/esm/icons/IconBulb.mjs';
import { hints } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const hintsScreens: readonly Screen[] = [
  declareScreen(hints, {
    title: 'Hints',
    entry: { icon: IconBulb, key: 'h' },
    load: () => import('./hints.screen.tsx'),
  }),
];
