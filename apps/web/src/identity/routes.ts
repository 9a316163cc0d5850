import { adminForbidden, forbidden, o365Forbidden, setup, signIn } from '../entities/places.ts';
import { declareScreen, type Screen } from '../kit/screen.ts';

export const identityScreens: readonly Screen[] = [
  declareScreen(signIn, { title: 'Log in', load: () => import('./sign-in.screen.tsx') }),
  declareScreen(setup, { title: 'First account', load: () => import('./setup.screen.tsx') }),
  declareScreen(adminForbidden, { title: 'No access', load: () => import('./forbidden.screen.tsx') }),
  declareScreen(o365Forbidden, { title: 'No access', load: () => import('./forbidden.screen.tsx') }),
  declareScreen(forbidden, { title: 'No access', load: () => import('./forbidden.screen.tsx') }),
];
