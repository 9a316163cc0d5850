import { o365Users, users } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const directoryScreens: readonly Screen[] = [
  declareScreen(users, {
    title: 'Users',
    entry: { icon: 'users', key: 'u' },
    load: () => import('./users.screen.tsx'),
  }),
];

/** The same in the Microsoft 365 application. */
export const o365DirectoryScreens: readonly Screen[] = [
  declareScreen(o365Users, {
    title: 'Users',
    entry: { icon: 'users', key: 'y' },
    load: () => import('./users.screen.tsx'),
  }),
];
