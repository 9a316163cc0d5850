import { queue } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const faultScreens: readonly Screen[] = [
  declareScreen(queue, {
    title: 'Faults',
    entry: { icon: 'inbox', key: 'f', counts: 'faults' },
    load: () => import('./queue.screen.tsx'),
  }),
];
