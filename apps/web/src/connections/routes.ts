import IconPlug from '@tabler/icons-react/dist/esm/icons/IconPlug.mjs';
import { connectors } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const connectionsScreens: readonly Screen[] = [
  declareScreen(connectors, {
    title: 'Connectors',
    entry: { icon: IconPlug, key: 'n' },
    load: () => import('./connectors.screen.tsx'),
  }),
];
