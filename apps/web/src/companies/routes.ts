import IconBuilding from '@tabler/icons-react/dist/esm/icons/IconBuilding.mjs';
import { companies } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const companiesScreens: readonly Screen[] = [
  declareScreen(companies, {
    title: 'Companies',
    entry: { icon: IconBuilding, key: 'm' },
    load: () => import('./companies.screen.tsx'),
  }),
];
