import { consolePage } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const consoleScreens: readonly Screen[] = [
  declareScreen(consolePage, { title: 'Console', load: () => import('./console.screen.tsx') }),
];
