import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs';
import { userLogs } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const auditScreens: readonly Screen[] = [
  declareScreen(userLogs, {
    title: 'Users logs',
    entry: { icon: IconHistory, group: 'Reports', key: 'l' },
    load: () => import('./user-logs.screen.tsx'),
  }),
];
