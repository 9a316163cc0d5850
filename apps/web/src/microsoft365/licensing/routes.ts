import IconLicense from '@tabler/icons-react/dist/esm/icons/IconLicense.mjs';
import IconUserCheck from '@tabler/icons-react/dist/esm/icons/IconUserCheck.mjs';
import { o365LicensedUsers, o365Licensing } from '../../entities/places.ts';
import { declareScreen, type Screen } from '../../kit/screen.ts';

export const licensingScreens: readonly Screen[] = [
  declareScreen(o365Licensing, {
    title: 'Licensing',
    entry: { icon: IconLicense, group: 'Reports', key: 'i' },
    load: () => import('./licensing.screen.tsx'),
  }),
  declareScreen(o365LicensedUsers, {
    title: 'Licensed users',
    entry: { icon: IconUserCheck, group: 'Reports', key: 'k' },
    load: () => import('./licensed-users.screen.tsx'),
  }),
];
