import { connectors } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const connectionsScreens: readonly Screen[] = [
  declareScreen(connectors, {
    title: 'Connectors',
    entry: { icon: 'plug', key: 'n' },
    load: () => import('./connectors.screen.tsx'),
  }),
];
