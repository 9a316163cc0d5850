import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs';
import { users } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const directoryScreens: readonly Screen[] = [
  declareScreen(users, {
    title: 'Users',
    entry: { icon: IconUsers, key: 'u' },
    load: () => import('./users.screen.tsx'),
  }),
];
