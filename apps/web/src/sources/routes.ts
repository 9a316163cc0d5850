import { sources } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const sourcesScreens: readonly Screen[] = [
  declareScreen(sources, {
    title: 'Sources',
    entry: { icon: 'plug-connected', key: 's', counts: 'unassigned' },
    load: () => import('./sources.screen.tsx'),
  }),
];
