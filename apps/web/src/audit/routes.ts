import { o365UserLogs, userLogs } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const auditScreens: readonly Screen[] = [
  declareScreen(userLogs, {
    title: 'Users logs',
    entry: { icon: 'history', group: 'Reports', key: 'l' },
    load: () => import('./user-logs.screen.tsx'),
  }),
];

/** The same in the Microsoft 365 application. */
export const o365AuditScreens: readonly Screen[] = [
  declareScreen(o365UserLogs, {
    title: 'Users logs',
    entry: { icon: 'history', group: 'Reports', key: 'z' },
    load: () => import('./user-logs.screen.tsx'),
  }),
];
