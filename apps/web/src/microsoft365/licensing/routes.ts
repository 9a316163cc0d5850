import { o365LicensedUsers, o365Licensing } from '../../entities/places.ts';
import { declareScreen, type Screen } from '../../kit/screen.ts';

export const licensingScreens: readonly Screen[] = [
  declareScreen(o365Licensing, {
    title: 'Licensing',
    entry: { icon: 'license', group: 'Reports', key: 'i' },
    load: () => import('./licensing.screen.tsx'),
  }),
  declareScreen(o365LicensedUsers, {
    title: 'Licensed users',
    entry: { icon: 'user-check', group: 'Reports', key: 'k' },
    load: () => import('./licensed-users.screen.tsx'),
  }),
];
